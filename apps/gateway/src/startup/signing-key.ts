import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '@gateway/configuration';
import { createSigner, generateSigningKey, type Signer, SigningKeyFault } from '@gateway/ledger';
import { StartupFault } from './fault.ts';

/**
 * The key that seals the decision log (decisions §7), made with mode 0600 at the first start. Two gateways that start at
 * once on one file agree on the one that was written first.
 */
export function openSigningKey(file: string): Signer {
  try {
    return createSigner(readOrMake(file));
  } catch (error) {
    if (error instanceof SigningKeyFault) throw new StartupFault(`GATEWAY_SIGNING_KEY_FILE: ${file} ${error.message}.`);
    throw new StartupFault(`GATEWAY_SIGNING_KEY_FILE: ${file} can be neither read nor made (${codeOf(error)}).`);
  }
}

/** Why the key that lies there cannot be used, found before anything is made; null where it can, or will be made. */
export function signingKeyFault(file: string): string | null {
  if (!existsSync(file)) return null;
  try {
    openSigningKey(file);
    return null;
  } catch (error) {
    if (error instanceof StartupFault) return error.message;
    throw error;
  }
}

function readOrMake(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, generateSigningKey(), { flag: 'wx', mode: 0o600 });
    chmodSync(file, 0o600); // whatever the umask
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8');
}
