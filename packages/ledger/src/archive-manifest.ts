import { verify } from 'node:crypto';
import { CheckpointFault } from './checkpoint.ts';
import type { Signer, VerificationKey } from './signing-key.ts';

/**
 * A signed note beside an archive that describes the file. Its text:
 *
 *     gateway log archive 1
 *     at 2026-01-01T00:00:00.000Z
 *     log usage
 *     file usage-2025-10-1.jsonl
 *     entries 1234
 *     sha256 <of the file, hexadecimal>
 *     key <id of the signing key>
 *     signature <Ed25519 over the lines above, hexadecimal>
 */
export interface ArchiveManifest {
  /** ISO 8601, UTC, milliseconds, `Z`. */
  readonly at: string;
  readonly log: string;
  /** Name of the file, without a directory. */
  readonly file: string;
  readonly entries: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

const FORM =
  /^gateway log archive 1\nat (\S+)\nlog ([a-z]{1,32})\nfile ([\w.-]{1,255})\nentries (\d{1,15})\nsha256 ([0-9a-f]{64})\nkey ([0-9a-f]{64})\nsignature ([0-9a-f]{128})\n$/;

/** The note's text, its signature last. */
export function makeArchiveManifest(signer: Signer, { at, log, file, entries, sha256 }: ArchiveManifest): string {
  const lines = ['gateway log archive 1', `at ${at}`, `log ${log}`, `file ${file}`, `entries ${entries}`];
  const body = `${[...lines, `sha256 ${sha256}`, `key ${signer.keyId}`].join('\n')}\n`;
  return `${body}signature ${signer.sign(Buffer.from(body)).toString('hex')}\n`;
}

/**
 * Reads a note and verifies its signature.
 * @throws CheckpointFault where it is no note, was changed, or was signed by another key.
 */
export function readArchiveManifest(text: string, keys: ReadonlyMap<string, VerificationKey>): ArchiveManifest {
  const plain = text.replaceAll('\r\n', '\n');
  const [, at = '', log = '', file = '', entries = '', sha256 = '', keyId = '', signature = ''] =
    FORM.exec(plain) ?? [];
  if (signature === '') throw new CheckpointFault('This is not the manifest of an archive.');
  const key = keys.get(keyId);
  if (!key) throw new CheckpointFault(`The manifest is signed by the key ${keyId}, which is not trusted.`);
  const body = Buffer.from(plain.slice(0, plain.lastIndexOf('signature ')));
  if (!verify(null, body, key.key, Buffer.from(signature, 'hex'))) {
    throw new CheckpointFault('The signature of the manifest is not valid: its text was changed.');
  }
  return { at, log, file, entries: Number(entries), sha256 };
}
