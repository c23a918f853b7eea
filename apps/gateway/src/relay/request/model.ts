import { isUtf8 } from 'node:buffer';
import { ENCODING_BYTES, type Encoding, encode, encodingOf, JsonTokenizer, Narrower, UNIT_BYTES } from '@gateway/json';

/** Marks a byte with seven bits of a number that continues in the next byte. */
const MORE = 0x80;
const ROOM = 32;
/** Bytes of a block once there are many: copying all of them into a larger one would delay other calls. */
const BLOCK = 64 * 1024;

/** A range of bytes. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Ranges of a body, in ascending order, each as the distance from the one before and its length: a body may be made of
 * nothing else, and two or three bytes a range are less than the range itself takes there.
 */
class Ranges {
  /** The first one grows up to `BLOCK`; all others have that length. */
  readonly #blocks: Uint8Array[] = [];
  #used = 0;
  #last = 0;
  #count = 0;
  /** Bytes in all ranges. */
  #covered = 0;
  #keptUsed = 0;
  #keptLast = 0;
  #keptCount = 0;
  #keptCovered = 0;

  get count(): number {
    return this.#count;
  }

  get covered(): number {
    return this.#covered;
  }

  add(start: number, end: number): void {
    this.#write(start - this.#last);
    this.#write(end - start);
    this.#last = end;
    this.#count++;
    this.#covered += end - start;
  }

  /** Makes the added ranges permanent, so that `rollBack` does not remove them. */
  keep(): void {
    this.#keptUsed = this.#used;
    this.#keptLast = this.#last;
    this.#keptCount = this.#count;
    this.#keptCovered = this.#covered;
  }

  /** Removes the ranges added since `keep`. */
  rollBack(): void {
    this.#used = this.#keptUsed;
    this.#last = this.#keptLast;
    this.#count = this.#keptCount;
    this.#covered = this.#keptCovered;
  }

  *[Symbol.iterator](): Generator<Range, void> {
    let at = 0;
    let last = 0;
    const read = (): number => {
      let value = 0;
      let factor = 1;
      for (;;) {
        const byte = this.#block(at)[at++ % BLOCK] as number;
        value += (byte & (MORE - 1)) * factor;
        if (byte < MORE) return value;
        factor *= MORE;
      }
    };
    while (at < this.#used) {
      const start = last + read();
      last = start + read();
      yield { start, end: last };
    }
  }

  /** Numbers may be beyond 32 bits: a body has no limit of size. */
  #write(value: number): void {
    let rest = value;
    while (rest >= MORE) {
      this.#put((rest % MORE) | MORE);
      rest = Math.floor(rest / MORE);
    }
    this.#put(rest);
  }

  #put(byte: number): void {
    const index = Math.floor(this.#used / BLOCK);
    let block = this.#blocks[index];
    const at = this.#used++ % BLOCK;
    if (block === undefined) this.#blocks[index] = block = new Uint8Array(index === 0 ? ROOM : BLOCK);
    else if (at >= block.length) {
      const larger = new Uint8Array(2 * block.length);
      larger.set(block);
      this.#blocks[index] = block = larger;
    }
    block[at] = byte;
  }

  #block(at: number): Uint8Array {
    return this.#blocks[Math.floor(at / BLOCK)] as Uint8Array;
  }
}

type Member = 'model' | 'stream' | 'other';

/** The top-level members of a body, from its tokens; offsets count the tokenizer's input. */
class ModelReader {
  readonly tokenizer: JsonTokenizer;
  /** The values of members named `model`, in any ASCII case, in every top-level object that ends. */
  readonly models = new Ranges();
  /** The first value is an object, and ended. */
  isObject = false;
  /** The first value has a member named exactly `model`. */
  hasExactName = false;
  /** Whether the last `stream` member of the first value is `true`: the last one counts, as for JSON.parse. */
  stream = false;
  isEmpty = true;
  /** Of the first value. */
  closeAt = 0;
  /** The top-level value that is being read is an object. */
  #inObject = false;
  #member: Member = 'other';
  #valueFrom = 0;

  /** @param narrowed the bytes are the output of a `Narrower`. */
  constructor(narrowed: boolean) {
    this.tokenizer = new JsonTokenizer(
      {
        open: (isObject, at, depth) => this.#open(isObject, at, depth),
        close: (_isObject, at, depth) => this.#close(at, depth),
        name: (from, to, depth) => {
          if (depth === 1) this.#name(to - from);
        },
        string: (from, to, depth) => this.#scalar(false, from, to, depth),
        literal: (kind, from, to, depth) => this.#scalar(kind === 'true', from, to, depth),
        broken: () => this.models.rollBack(),
      },
      { narrowed },
    );
  }

  get #isFirst(): boolean {
    return this.tokenizer.values === 0;
  }

  #open(isObject: boolean, at: number, depth: number): void {
    this.#valueFrom = depth === 1 ? at : this.#valueFrom;
    if (depth > 0) return;
    this.#inObject = isObject;
    if (!isObject && this.#isFirst) this.tokenizer.stop();
  }

  #close(at: number, depth: number): void {
    if (depth === 1) this.#valueEnds(false, this.#valueFrom, at + 1);
    if (depth > 0) return;
    if (this.#isFirst) {
      this.isObject = true;
      this.closeAt = at;
    }
    this.models.keep();
  }

  #scalar(isTrue: boolean, from: number, to: number, depth: number): void {
    if (depth === 1) this.#valueEnds(isTrue, from, to);
    else if (depth === 0 && this.#isFirst) this.tokenizer.stop();
  }

  #valueEnds(isTrue: boolean, from: number, to: number): void {
    if (!this.#inObject) return;
    if (this.#isFirst) {
      this.isEmpty = false;
      if (this.#member === 'stream') this.stream = isTrue;
    }
    if (this.#member === 'model') this.models.add(from, to);
  }

  /** @param length of the name as written, with its quotes: for most names, the length is enough. */
  #name(length: number): void {
    this.#member = 'other';
    if (length !== '"model"'.length && length !== '"stream"'.length && !this.tokenizer.isNameEscaped) return;
    const { name } = this.tokenizer;
    if (name.length === 'model'.length && name.toLowerCase() === 'model') {
      this.#member = 'model';
      if (this.#isFirst && name === 'model') this.hasExactName = true;
    } else if (name === 'stream') this.#member = 'stream';
  }
}

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
  const adds = isOneObject && !reader.hasExactName && (narrower !== null || (yield* arePartsUtf8(parts)));
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

function* arePartsUtf8(parts: readonly Uint8Array[]): Generator<undefined, boolean> {
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

/** The length that a body has once its model is replaced. */
export function lengthWith(length: number, plan: ModelPlan, model: string): number {
  return lengthOf(length, plan, spellings(plan, model));
}

function lengthOf(length: number, plan: ModelPlan, { value, member }: Spellings): number {
  const covered = plan.models.covered * UNIT_BYTES[plan.encoding];
  return length - covered + plan.models.count * value.length + member.length;
}

/** A body with its model replaced, in one piece; every other byte stays the same. */
export function withModel(bytes: Buffer, plan: ModelPlan, model: string): Buffer {
  const unit = UNIT_BYTES[plan.encoding];
  const spelled = spellings(plan, model);
  const whole = Buffer.allocUnsafe(lengthOf(bytes.length, plan, spelled));
  let used = 0;
  /** Offset up to which the body was copied, or replaced. */
  let left = 0;
  for (const { start, end } of plan.models) {
    used += bytes.copy(whole, used, left, start * unit);
    used += spelled.value.copy(whole, used);
    left = end * unit;
  }
  if (plan.added !== null) {
    used += bytes.copy(whole, used, left, plan.added.at * unit);
    used += spelled.member.copy(whole, used);
    left = plan.added.at * unit;
  }
  bytes.copy(whole, used, left);
  return whole;
}

/**
 * The same for a body too long to copy, in blocks. Parts that were sent are released.
 * @param parts the bytes of the body; the list is emptied.
 */
export function* blocksWithModel(parts: Buffer[], plan: ModelPlan, model: string): Generator<Buffer, void> {
  let block = Buffer.allocUnsafe(BLOCK);
  let used = 0;
  for (const piece of pieces(takeParts(parts), plan, model)) {
    if (used + piece.length > BLOCK) {
      if (used > 0) yield block.subarray(0, used);
      block = Buffer.allocUnsafe(BLOCK);
      used = 0;
    }
    if (piece.length > BLOCK) yield piece;
    else used += piece.copy(block, used);
  }
  if (used > 0) yield block.subarray(0, used);
}

/** How the model, or the member that is added, is written in a body. */
interface Spellings {
  readonly value: Buffer;
  readonly member: Buffer;
}

function spellings({ encoding, added }: ModelPlan, model: string): Spellings {
  const value = JSON.stringify(model);
  const member = added === null ? '' : `${added.isEmpty ? '' : ','}"model":${value}`;
  return { value: encode(value, encoding), member: encode(member, encoding) };
}

/** The parts in order; each is removed from the list. */
export function* takeParts(parts: Buffer[]): Generator<Buffer, void> {
  for (const [index, part] of parts.entries()) {
    parts[index] = Buffer.alloc(0);
    yield part;
  }
}

interface Replaced {
  readonly start: number;
  readonly end: number;
  readonly bytes: Buffer;
}

function* changesOf(plan: ModelPlan, model: string): Generator<Replaced, void> {
  const unit = UNIT_BYTES[plan.encoding];
  const { value, member } = spellings(plan, model);
  for (const { start, end } of plan.models) yield { start: start * unit, end: end * unit, bytes: value };
  // It is added after every replaced value.
  if (plan.added !== null) yield { start: plan.added.at * unit, end: plan.added.at * unit, bytes: member };
}

function* pieces(parts: Iterable<Buffer>, plan: ModelPlan, model: string): Generator<Buffer, void> {
  const changes = changesOf(plan, model);
  let change = changes.next();
  let base = 0;
  /** Offset up to which the body has left, or been replaced. */
  let left = 0;
  for (const part of parts) {
    const end = base + part.length;
    while (change.done !== true && change.value.start < end) {
      const { start, end: replacedTo, bytes } = change.value;
      if (start > left) yield part.subarray(left - base, start - base);
      yield bytes;
      left = replacedTo;
      change = changes.next();
    }
    if (left < end) {
      yield part.subarray(Math.max(0, left - base));
      left = end;
    }
    base = end;
  }
}

const NOTHING: Uint8Array = new Uint8Array(0);
const LONGEST_CHARACTER = 4;

/** Whether bytes that arrive in parts are UTF-8. */
class Utf8Check {
  /** The beginning of a character that the last part contained incompletely. */
  #rest = NOTHING;

  /** @returns false where they are not, so that later bytes do not matter. */
  push(part: Uint8Array): boolean {
    const bytes = this.#rest.length === 0 ? part : Buffer.concat([this.#rest, part]);
    const whole = bytes.length - beginningAtEnd(bytes);
    this.#rest = bytes.slice(whole);
    return isUtf8(bytes.subarray(0, whole));
  }

  /** Whether they ended with a whole character. */
  end(): boolean {
    return this.#rest.length === 0;
  }
}

/** Bytes at the end that begin a character and do not end it. */
function beginningAtEnd(bytes: Uint8Array): number {
  for (let length = 1; length < LONGEST_CHARACTER && length <= bytes.length; length++) {
    const byte = bytes[bytes.length - length] as number;
    if ((byte & 0xc0) === 0x80) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length < needed ? length : 0;
  }
  return 0;
}
