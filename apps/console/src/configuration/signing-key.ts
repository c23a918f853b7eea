import { join, resolve } from 'node:path';
import type { Reading, Variable } from '@gateway/configuration';

const stateDirectory: Variable = {
  name: 'GATEWAY_STATE_DIR',
  form: 'the path of a directory the console may write; created where absent',
  fallback: '.gateway in the working directory',
  effect: 'Holds the signing key unless it is elsewhere.',
};
const signingKeyFile: Variable = {
  name: 'GATEWAY_SIGNING_KEY_FILE',
  form: 'the path of an Ed25519 private key (PEM, PKCS 8)',
  fallback: 'console-signing-key.pem in GATEWAY_STATE_DIR',
  effect:
    'Signs what the console appends to the administration log and the decision log. Created with mode 0600 at the first start if the file is absent.',
};

export const SIGNING_VARIABLES: readonly Variable[] = [stateDirectory, signingKeyFile];

/** Path of the console's signing key. */
export function readSigningKeyFile(reading: Reading): string {
  const directory = reading.text(stateDirectory) ?? '.gateway';
  return resolve(reading.text(signingKeyFile) ?? join(directory, 'console-signing-key.pem'));
}
