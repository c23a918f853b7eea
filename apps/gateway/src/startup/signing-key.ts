import { existsSync } from 'node:fs';
import { openSigningKey } from '@gateway/configuration';
import type { Signer } from '@gateway/ledger';
import { StartupFault } from './fault.ts';

/** The signer of the decision log. */
export function signerOf(file: string): Signer {
  const opened = openSigningKey(file);
  if ('fault' in opened) throw new StartupFault(opened.fault);
  return opened.signer;
}

/** Why the key that lies there cannot be used, found before anything is made; null where it can, or will be made. */
export function signingKeyFault(file: string): string | null {
  if (!existsSync(file)) return null;
  const opened = openSigningKey(file);
  return 'fault' in opened ? opened.fault : null;
}
