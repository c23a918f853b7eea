import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { createSigner, generateSigningKey, type Signer, SigningKeyFault } from '@gateway/ledger';
import { makeFolder } from './folder.ts';
import { codeOf } from './reading.ts';

/**
 * The key a log is sealed with, made with mode 0600 where it is absent (decisions §7). Programs that start at once on one file,
 * two gateways or a gateway and a console, agree on the one that was there first.
 * @throws SigningKeyFault where the file holds none, the system's error where it can be neither read nor made
 */
export function readOrMakeSigner(file: string): Signer {
  return createSigner(readOrMake(file));
}

/** @returns the signer of a service, or the line that says why there is none */
export function openSigningKey(file: string): { readonly signer: Signer } | { readonly fault: string } {
  try {
    return { signer: readOrMakeSigner(file) };
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
  const aside = `${file}.${randomUUID()}`;
  try {
    writeWhole(aside, generateSigningKey());
    giveName(aside, file);
  } finally {
    rmSync(aside, { force: true });
  }
  return readFileSync(file, 'utf8');
}

/** On disk when it returns: what is sealed with a key that a power cut takes could be sealed by nobody again. */
function writeWhole(path: string, text: string): void {
  const descriptor = openSync(path, 'wx', 0o600);
  try {
    fchmodSync(descriptor, 0o600); // whatever the umask
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The file appears whole, and never in the place of another one. */
function giveName(aside: string, file: string): void {
  try {
    linkSync(aside, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return; // another start was quicker: its key counts
    // Some file systems know no links (FAT, some network shares): whole all the same, first come as far as can be told.
    if (!existsSync(file)) renameSync(aside, file);
  }
}
