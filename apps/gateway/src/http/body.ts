import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Refusal, refusal } from '@gateway/contract';
import type { BodyBudget } from './body-budget.ts';
import type { Head } from './head.ts';

const TEXT = new TextDecoder('utf-8', { fatal: true });

/** Milliseconds in which a body that this service reads itself must have arrived (limits-4). */
const BODY_DEADLINE_MS = 10_000;

/** Bytes taken for a body without an announced length, before it arrives. */
const FIRST_BYTES = 4096;

export interface BodyLimits {
  /** Most bytes of this body. */
  readonly most: number;
  /** The budget for its bytes, until `release` or the end of the answer. */
  readonly budget: BodyBudget;
  /** Milliseconds until it must be whole. Default 10,000. */
  readonly deadlineMs?: number;
}

/** A body that is whole. */
export interface WholeBody {
  readonly bytes: Buffer;
  /** Gives its memory back to the budget, once nothing refers to the bytes. */
  release(): void;
}

/**
 * The whole body of a request that this service itself understands, or why it is refused (408, 413, 503); null where the caller
 * left before it was whole. Asks for the body where the caller waits for that, so nothing is sent before it is wanted.
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  head: Head,
  { most, budget, deadlineMs = BODY_DEADLINE_MS }: BodyLimits,
): Promise<WholeBody | Refusal | null> {
  const tooLarge = refusal('body-too-large', { details: { bytes: String(most) } });
  if (head.contentLength !== null && head.contentLength > most) return Promise.resolve(tooLarge);
  if (head.expectsContinue) response.writeContinue();
  return new Promise((resolve) => {
    const share = budget.open();
    const release = (): void => share.release();
    const expected = Math.min(head.contentLength ?? most, most);
    let held: Buffer = Buffer.alloc(0);
    let length = 0;

    // One buffer that grows: a body in chunks of one byte would use far more than its bytes.
    const fits = (bytes: number): boolean => {
      if (bytes <= held.length) return true;
      const size = Math.max(bytes, Math.min(expected, Math.max(2 * held.length, FIRST_BYTES)));
      if (!share.take(size - held.length)) return false;
      const grown = Buffer.allocUnsafeSlow(size);
      held.copy(grown, 0, 0, length);
      held = grown;
      return true;
    };
    const take = (chunk: Buffer): void => {
      if (length + chunk.length > most) return settle(tooLarge);
      if (!fits(length + chunk.length)) return settle(refusal('bodies-full', { headers: { 'retry-after': '1' } }));
      length += chunk.copy(held, length);
    };
    const end = (): void => {
      const whole = request.complete && !response.destroyed;
      settle(whole ? { bytes: held.subarray(0, length), release } : null);
    };
    const left = (): void => settle(null);
    const late = (): void => {
      response.shouldKeepAlive = false; // the rest would be read as the next request
      settle(refusal('request-too-slow'));
    };
    const timer = setTimeout(late, deadlineMs);
    const settle = (outcome: WholeBody | Refusal | null): void => {
      clearTimeout(timer);
      request.off('data', take).off('end', end).off('close', left);
      if (outcome === null || 'code' in outcome) release();
      resolve(outcome);
    };
    response.once('close', release);
    request.on('data', take).on('end', end).on('close', left);
    if (response.destroyed || request.destroyed) left();
  });
}

/** The JSON value of a body, or undefined where it is not JSON in UTF-8. */
export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(TEXT.decode(body)) as unknown;
  } catch {
    return undefined;
  }
}
