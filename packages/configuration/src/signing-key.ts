import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createSigner, generateSigningKey, type Signer, SigningKeyFault } from '@gateway/ledger';
import { makeFolder } from './folder.ts';
import { codeOf } from './reading.ts';

/**
 * The key a service seals its logs with, made with mode 0600 at the first start (decisions §7). Two services that start at once
 * on one file agree on the one that was written first.
 * @returns the signer, or the line that says why there is none
 */
export function openSigningKey(file: string): { readonly signer: Signer } | { readonly fault: string } {
  try {
    return { signer: createSigner(readOrMake(file)) };
  } catch (error) {
    const sentence =
      error instanceof SigningKeyFault ? `${error.message}.` : `can be neither read nor made (${codeOf(error)}).`;
    return { fault: `GATEWAY_SIGNING_KEY_FILE: ${file} ${sentence}` };
  }
}

/** Why the key that lies there cannot be used, found before anything is made; null where it can, or will be made. */
export function signingKeyFault(file: string): string | null {
  if (!existsSync(file)) return null;
  const opened = openSigningKey(file);
  return 'fault' in opened ? opened.fault : null;
}

function readOrMake(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  makeFolder(dirname(file));
  try {
    writeFileSync(file, generateSigningKey(), { flag: 'wx', mode: 0o600 });
    chmodSync(file, 0o600); // whatever the umask
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8');
}
