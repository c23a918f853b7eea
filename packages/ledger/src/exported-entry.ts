import type { JsonObject } from './canonical.ts';
import type { ChainedEntry } from './verify.ts';

/** A line that is no exported entry; the message has the cause. */
export class ExportFault extends Error {
  override readonly name = 'ExportFault';
}

/** An entry, and the log it is of. */
export interface ExportedEntry extends ChainedEntry {
  readonly chain: string;
}

/** An entry as one line of JSON, without the line feed: everything needed to verify it elsewhere. */
export function writeExportedEntry({ chain, entry, previous, digest, seal }: ExportedEntry): string {
  const sealed = seal && { keyId: seal.keyId, signature: Buffer.from(seal.signature).toString('hex') };
  return JSON.stringify({ chain, ...entry, previous, digest, seal: sealed });
}

const isDigest = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

function sealOf(value: unknown): ChainedEntry['seal'] | undefined {
  if (value === null) return null;
  if (typeof value !== 'object') return undefined;
  const { keyId, signature, ...more } = value as Partial<Record<string, unknown>>;
  const whole = isDigest(keyId) && typeof signature === 'string' && /^[0-9a-f]{128}$/.test(signature);
  return whole && Object.keys(more).length === 0 ? { keyId, signature: Buffer.from(signature, 'hex') } : undefined;
}

/** A line's entry, and its canonical text. */
function parse(line: string): { readonly value: unknown; readonly rewritten: string } {
  try {
    const value: unknown = JSON.parse(line);
    return { value, rewritten: JSON.stringify(value) };
  } catch {
    throw new ExportFault('is not JSON, or nested too deeply');
  }
}

/**
 * Reads a line of an export. Only the exported form is accepted: programs could read a repeated member, or a number in another
 * form, differently, and only one reading would have been verified.
 * @throws ExportFault where it is no such line.
 */
export function readExportedEntry(line: string): ExportedEntry {
  const { value, rewritten } = parse(line);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new ExportFault('is no entry');
  if (rewritten !== line) {
    throw new ExportFault(
      'is not written as it was exported (white space, a member given twice, the form of a number or a text)',
    );
  }
  const { chain, previous, digest, seal: written, ...entry } = value as JsonObject;
  const seal = sealOf(written);
  const { sequence } = entry;
  if (typeof chain !== 'string' || !isDigest(previous) || !isDigest(digest) || seal === undefined) {
    throw new ExportFault('is not an entry: it lacks its chain, previous, digest or seal');
  }
  if (!Number.isSafeInteger(sequence)) throw new ExportFault('is not an entry: it lacks its sequence');
  return { chain, sequence: BigInt(sequence as number), entry, previous, digest, seal };
}
