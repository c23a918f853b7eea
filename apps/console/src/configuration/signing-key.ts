import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { codeOf, type Reading, type Variable } from '@gateway/configuration';
import { createSigner, generateSigningKey, type Signer, SigningKeyFault } from '@gateway/ledger';

const stateDirectory: Variable = {
  name: 'GATEWAY_STATE_DIR',
  profile: 'both',
  form: 'the path of a directory the console may write; created where absent',
  fallback: '.gateway in the working directory',
  effect: 'Holds the signing key unless it lies elsewhere.',
};
const signingKeyFile: Variable = {
  name: 'GATEWAY_SIGNING_KEY_FILE',
  profile: 'both',
  form: 'the path of an Ed25519 private key (PEM, PKCS 8)',
  fallback: 'console-signing-key.pem in GATEWAY_STATE_DIR',
  effect:
    'Signs what the console appends to the administration log and the decision log. Created with mode 0600 at the first start where the file is absent.',
};

export const SIGNING_VARIABLES: readonly Variable[] = [stateDirectory, signingKeyFile];

/** Where the console's signing key lies. */
export function readSigningKeyFile(reading: Reading): string {
  const directory = reading.text(stateDirectory) ?? '.gateway';
  return resolve(reading.text(signingKeyFile) ?? join(directory, 'console-signing-key.pem'));
}

/**
 * The console's own signing key, made with mode 0600 at the first start (decisions §7). Two consoles that start at once on one
 * file agree on the one that was written first.
 * @returns the signer, or the line that says why there is none
 */
export function openSigningKey(file: string): { readonly signer: Signer } | { readonly fault: string } {
  try {
    return { signer: createSigner(readOrMake(file)) };
  } catch (error) {
    const sentence =
      error instanceof SigningKeyFault ? `${error.message}.` : `can be neither read nor made (${codeOf(error)}).`;
    return { fault: `${signingKeyFile.name}: ${file} ${sentence}` };
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
