import { ENCODING_BYTES, type Encoding, encodingOf, Narrower } from '@gateway/json';
import { ModelReader } from './model-reader.ts';
import type { Ranges } from './ranges.ts';
import { Utf8Check } from './utf8-check.ts';

/** What has to be done to a body that is a JSON object; offsets count units of its encoding. */
export interface ModelPlan {
  readonly encoding: Encoding;
  /** The values of top-level members that are named `model` in any case. */
  readonly models: Ranges;
  /** Where a `model` is added: the object's closing brace, and whether the object is empty. Null where none is added. */
  readonly added: { readonly at: number; readonly isEmpty: boolean } | null;
  /** Whether the last top-level `stream` member of the first value is `true` (relay-18). */
  readonly stream: boolean;
}

/** Bytes read between two pauses: some tenths of a millisecond. */
const SLICE = 128 * 1024;

/**
 * Reads a body and plans how its model is replaced (relay-11, relay-13). It is read as tolerant parsers read it, because the
 * engine's parser is unknown. Pauses between slices.
 * @param parts the bytes of the body, in order.
 * @returns null where the body is no complete JSON object: it is relayed unchanged.
 */
export function* planModel(parts: readonly Uint8Array[]): Generator<undefined, ModelPlan | null> {
  const encoding = encodingOf(firstBytes(parts));
  const narrower = encoding === 'utf-8' ? null : new Narrower(encoding);
  const reader = new ModelReader(narrower !== null);
  const { tokenizer } = reader;
  for (const slice of slicesOf(parts)) {
    if (slice === null) {
      yield;
      continue;
    }
    tokenizer.push(narrower?.push(slice) ?? slice);
    if (tokenizer.isStopped) return null;
  }
  tokenizer.end();
  if (!reader.isObject) return null;
  const isOneObject = tokenizer.isStrict && tokenizer.values === 1 && (narrower?.isWellFormed ?? true);
  const adds = isOneObject && !reader.hasExactName && (narrower !== null || (yield* isUtf8(parts)));
  return {
    encoding,
    models: reader.models,
    added: adds ? { at: reader.closeAt, isEmpty: reader.isEmpty } : null,
    stream: reader.stream,
  };
}

/** The bytes in slices; null where others may run. */
function* slicesOf(parts: readonly Uint8Array[]): Generator<Uint8Array | null, void> {
  let sincePause = 0;
  for (const part of parts) {
    for (let from = 0; from < part.length; from += SLICE) {
      if (sincePause >= SLICE) {
        yield null;
        sincePause = 0;
      }
      const slice = part.length <= SLICE ? part : part.subarray(from, from + SLICE);
      sincePause += slice.length;
      yield slice;
    }
  }
}

function* isUtf8(parts: readonly Uint8Array[]): Generator<undefined, boolean> {
  const check = new Utf8Check();
  for (const slice of slicesOf(parts)) {
    if (slice === null) yield;
    else if (!check.push(slice)) return false;
  }
  return check.end();
}

/** The first four bytes, across any number of parts, or more. */
function firstBytes(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  if (first !== undefined && first.length >= ENCODING_BYTES) return first;
  return Buffer.concat(parts.slice(0, ENCODING_BYTES));
}
