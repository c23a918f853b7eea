import { type OpenedSigningKey, openSigningKey } from '@gateway/configuration';
import { StartupFault } from '../process/start-fault.ts';

/** The key that signs the decision log. */
export function signingKeyOf(file: string): OpenedSigningKey {
  const opened = openSigningKey(file);
  if ('fault' in opened) throw new StartupFault(opened.fault);
  return opened;
}
