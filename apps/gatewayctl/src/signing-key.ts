import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createSigner, generateSigningKey, type Signer, SigningKeyFault } from '@gateway/ledger';
import { CommandFailed } from './fault.ts';

/** Written aside and linked, so that two commands at once agree on one whole key. */
function make(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const aside = `${file}.${process.pid}`;
  writeFileSync(aside, generateSigningKey(), { flag: 'wx', mode: 0o600 });
  try {
    linkSync(aside, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside);
  }
}

function readOrMake(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  make(file);
  return readFileSync(file, 'utf8');
}

/**
 * The key that seals what this operator does (decisions §7). Where GATEWAY_SIGNING_KEY_FILE names none, every operator has
 * their own, below their state directory: the log then tells by whose key an act was sealed, and no key travels.
 */
export function openSigningKey(file: string): Signer {
  try {
    return createSigner(readOrMake(file));
  } catch (error) {
    if (error instanceof SigningKeyFault) throw new CommandFailed(`The signing key ${file} ${error.message}.`);
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new CommandFailed(
      `The signing key ${file} can be neither read nor made (${code}): name another place in GATEWAY_SIGNING_KEY_FILE.`,
    );
  }
}
