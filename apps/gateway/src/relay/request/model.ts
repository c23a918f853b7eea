import { encode, UNIT_BYTES } from '@gateway/json';
import type { ModelPlan } from './model-plan.ts';

/** Bytes written per block where a body leaves in pieces. */
const BLOCK = 64 * 1024;

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
