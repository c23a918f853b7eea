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
import { absentFolderFault, makeFolder } from './folder.ts';
import { codeOf } from './reading.ts';

/**
 * The key a log is sealed with, made with mode 0600 where it is absent (log-6). Programs that start at once on one file,
 * two gateways or a gateway and a console, agree on the one that was there first.
 * @throws SigningKeyFault where the file holds none, the system's error where it can be neither read nor made
 */
export function readOrMakeSigner(file: string): Signer {
  return createSigner(readOrMake(file).key);
}

/** The signer of a service, and the line for the operator where its key is new: anybody who verifies with keys of their own needs it. */
export interface OpenedSigningKey {
  readonly signer: Signer;
  readonly notice: string | null;
}

/** @returns the signer of a service, or the line that says why there is none */
export function openSigningKey(file: string): OpenedSigningKey | { readonly fault: string } {
  try {
    const { key, made } = readOrMake(file);
    const signer = createSigner(key);
    const notice =
      `GATEWAY_SIGNING_KEY_FILE: there was none, so that ${file} was made, with the key ${signer.keyId}. ` +
      'Hand its public key to the auditors: gatewayctl journal keys';
    return { signer, notice: made ? notice : null };
  } catch (error) {
    const sentence = error instanceof SigningKeyFault ? `${error.message}.` : neitherReadNorMade(codeOf(error));
    return { fault: `GATEWAY_SIGNING_KEY_FILE: ${file} ${sentence}` };
  }
}

const neitherReadNorMade = (code: string): string => `can be neither read nor made (${code}).`;

/** Why the key that lies there cannot be used, found before anything is made; null where it can, or will be made. */
export function signingKeyFault(file: string): string | null {
  if (!existsSync(file)) {
    const code = absentFolderFault(file);
    return code === null ? null : `GATEWAY_SIGNING_KEY_FILE: ${file} ${neitherReadNorMade(code)}`;
  }
  const opened = openSigningKey(file);
  return 'fault' in opened ? opened.fault : null;
}

function readOrMake(file: string): { readonly key: string; readonly made: boolean } {
  try {
    return { key: readFileSync(file, 'utf8'), made: false };
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
  return { key: readFileSync(file, 'utf8'), made: true };
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
