import type { Responses } from '../scan/response.ts';
import type { Scanner } from '../scanner/scanner.ts';
import { createEventStream, type EventStream } from './events.ts';
import type { EventStep } from './exit.ts';
import { createTextStream } from './text.ts';

const MARK = '\xef\xbb\xbf';
/** How a stream of events begins: with a field of one, or a comment. */
const BEGINNINGS = ['data:', 'event:', 'id:', 'retry:', ':'].flatMap((field) => [field, MARK + field]);
const LONGEST = Math.max(...BEGINNINGS.map(({ length }) => length));

/**
 * Scans an answer without a stream's content type to a call that requested a stream. Clients still read it as events if it
 * consists of them, so its first bytes decide how it is scanned: a secret may be split over events.
 */
export function createUnnamedStream(scanner: Scanner, responses: Responses): EventStream {
  let begun = Buffer.alloc(0);
  let stream: EventStream | null = null;

  const undecided = (bytes: Uint8Array): EventStep => ({ bytes, findings: [], blocked: false, paused: false });

  return {
    push(chunk, mayPause) {
      if (stream !== null) return stream.push(chunk, mayPause);
      begun = Buffer.concat([begun, chunk]);
      const text = begun.toString('latin1', 0, LONGEST);
      const isEvents = BEGINNINGS.some((beginning) => text.startsWith(beginning));
      if (!isEvents && BEGINNINGS.some((beginning) => beginning.startsWith(text))) return undecided(new Uint8Array());
      stream = isEvents ? createEventStream(scanner, responses, 'sse') : createTextStream(scanner, responses);
      return stream.push(begun, mayPause);
    },
    // Too short to decide, and so too short for a secret.
    end: (mayPause) => stream?.end(mayPause) ?? undecided(begun),
    goOn: () => stream?.goOn() ?? undecided(new Uint8Array()),
  };
}
