import type { ChannelStep } from '../channel/channel.ts';
import { TokenLists } from '../json/token-lists.ts';
import { type Responses, respond } from '../scan/response.ts';
import type { Scanner } from '../scanner/scanner.ts';
import { createEventStream, type EventStream } from './events.ts';
import type { EventStep } from './exit.ts';

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

/**
 * Scans a streamed answer without events: the whole of it is one channel. Bytes are read as one character each, so that
 * everything except secrets leaves unchanged, text or not. After a masked secret, lists of tokens are emptied.
 */
export function createTextStream(scanner: Scanner, responses: Responses): EventStream {
  const channel = scanner.channel(responses, null, 'latin1');
  let lists: TokenLists | null = null;
  const step = ({ text, findings, blocked }: ChannelStep, isLast = false): EventStep => {
    if (respond(responses, findings) === 'mask') lists ??= new TokenLists();
    const left = lists === null ? text : lists.push(text) + (isLast ? lists.end() : '');
    return { bytes: Buffer.from(left, 'latin1'), findings, blocked, paused: false };
  };
  const nothing: EventStep = { bytes: new Uint8Array(0), findings: [], blocked: false, paused: false };
  return {
    goOn: () => nothing,
    push: (chunk) => step(channel.push(Buffer.from(chunk).toString('latin1'))),
    end: () => step(channel.end(), true),
  };
}
