import { codeOf, readOrMakeSigner } from '@gateway/configuration';
import { type Signer, SigningKeyFault } from '@gateway/ledger';
import { CommandFailed } from '../context/fault.ts';

/**
 * The key that seals what this operator does (log-6). Where GATEWAY_SIGNING_KEY_FILE names none, every operator has
 * their own, below their state directory: the log then tells by whose key an act was sealed, and no key travels.
 */
export function openSigningKey(file: string): Signer {
  try {
    return readOrMakeSigner(file);
  } catch (error) {
    if (error instanceof SigningKeyFault) throw new CommandFailed(`The signing key ${file} ${error.message}.`);
    throw new CommandFailed(
      `The signing key ${file} can be neither read nor made (${codeOf(error)}): name another place in GATEWAY_SIGNING_KEY_FILE.`,
    );
  }
}
