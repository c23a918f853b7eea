import { codeOf, readOrMakeSigner } from '@gateway/configuration';
import { type Signer, SigningKeyFault } from '@gateway/ledger';
import { CommandFailed } from '../context/fault.ts';

/**
 * The key that seals this operator's acts (log-6). Without GATEWAY_SIGNING_KEY_FILE, every operator has a key of their own in
 * their state directory: the log shows whose key sealed an act, and no key is shared.
 */
export function openSigningKey(file: string): Signer {
  try {
    return readOrMakeSigner(file);
  } catch (error) {
    if (error instanceof SigningKeyFault) throw new CommandFailed(`The signing key ${file} ${error.message}.`);
    throw new CommandFailed(
      `The signing key ${file} can be neither read nor created (${codeOf(error)}): set another path in GATEWAY_SIGNING_KEY_FILE.`,
    );
  }
}
