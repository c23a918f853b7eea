import { randomUUID } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { createSigner, generateSigningKey, type Signer, SigningKeyFault } from '@gateway/ledger';
import { codeOf } from './reading.ts';

/**
 * The key that seals a log, made with mode 0600 where it is absent (log-6). Programs that start concurrently with one file agree
 * on the first key.
 * @throws SigningKeyFault where the file contains none, the system's error where it can be neither read nor created
 */
export function readOrMakeSigner(file: string): Signer {
  return createSigner(readOrMake(file).key);
}

/** The signer of a service, and the line for the operator where its key is new, because auditors need the public key. */
export interface OpenedSigningKey {
  readonly signer: Signer;
  readonly notice: string | null;
}

/** @returns the signer of a service, or the line that explains why there is none */
export function openSigningKey(file: string): OpenedSigningKey | { readonly fault: string } {
  try {
    const { key, made } = readOrMake(file);
    const signer = createSigner(key);
    const notice =
      `GATEWAY_SIGNING_KEY_FILE: ${file} did not exist and was created, with the key ${signer.keyId}. ` +
      'Give its public key to the auditors: gatewayctl journal keys';
    return { signer, notice: made ? notice : null };
  } catch (error) {
    const sentence = error instanceof SigningKeyFault ? `${error.message}.` : neitherReadNorMade(codeOf(error));
    return { fault: `GATEWAY_SIGNING_KEY_FILE: ${file} ${sentence}` };
  }
}

const neitherReadNorMade = (code: string): string => `can be neither read nor created (${code}).`;

/** Why the existing key cannot be used, found before anything is made; null where it can, or will be made. */
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

/** On disk when it returns: a key lost in a power cut could seal nothing again. */
function writeWhole(path: string, text: string): void {
  const descriptor = openSync(path, 'wx', 0o600);
  try {
    fchmodSync(descriptor, 0o600); // for any umask
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The file appears complete, and never replaces another one. */
function giveName(aside: string, file: string): void {
  try {
    linkSync(aside, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return; // another start was quicker: its key counts
    // Some file systems have no links (FAT, some network shares): still complete, and first wins as far as it can be detected.
    if (!existsSync(file)) renameSync(aside, file);
  }
}

/**
 * Makes a folder with access only for its owner, and its missing parents. Not with `recursive`: where a file system allows no
 * folders and reports ENOENT (/proc), Node tries forever, and a start would hang without a message.
 */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const above = dirname(folder);
  if (!existsSync(above) && above !== folder) makeFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error; // another start was quicker
  }
}

/** Why a folder that is absent could not be made, as the system's code; null where nothing speaks against it. It makes nothing. */
export function absentFolderFault(folder: string): string | null {
  const above = dirname(folder);
  if (!existsSync(above) && above !== folder) return absentFolderFault(above);
  try {
    if (!statSync(above).isDirectory()) return 'ENOTDIR';
    accessSync(above, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return codeOf(error);
  }
}
