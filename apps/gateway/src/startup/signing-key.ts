import { openSigningKey } from '@gateway/configuration';
import type { Signer } from '@gateway/ledger';
import { StartupFault } from './fault.ts';

/** The signer of the decision log. */
export function signerOf(file: string): Signer {
  const opened = openSigningKey(file);
  if ('fault' in opened) throw new StartupFault(opened.fault);
  return opened.signer;
}
