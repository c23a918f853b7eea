import { type Finding, maskOf, type Responses, respond } from '../scan/response.ts';
import { pointersOf } from '../text/pointer.ts';
import { TokenLists } from '../text/token-lists.ts';
import type { Channel, ChannelStep } from './channel.ts';
import { Channels, LazyTemplate, type OpenChannel, stringEnd, stringOf, templateBut, viewOf } from './channels.ts';
import {
  type Delta,
  dataOf,
  decoded,
  deltasOf,
  type EventData,
  findEndedBy,
  isDone,
  LONGEST_EVENT,
  literalOf,
  parse,
  type Replacement,
  textOfDelta,
} from './event.ts';
import { type EventStep, Exit } from './exit.ts';
import { Framer, type Framing } from './framing.ts';
import type { Scanner } from './scanner.ts';

/** Bytes of the shortest secret that any rule knows, rounded down. */
const SHORTEST = 6;
/** Bytes scanned without a pause. */
const SHORT = 8 * 1024;

/**
 * Secrets that are whole in an event, outside the texts that other events continue. Positions are those of the event's bytes.
 * Pauses in a long event.
 */
export function* findComplete(
  scanner: Scanner,
  bytes: Uint8Array,
  data: EventData | null,
  deltas: readonly Delta[],
): Generator<undefined, readonly Finding[]> {
  if (bytes.length < SHORTEST) return [];
  const isShort = bytes.length <= SHORT;
  const { findings } = isShort ? scanner.scanBody(bytes, TYPE) : yield* scanner.scanBodyInSteps(bytes, TYPE);
  const own: Finding[] = [];
  for (const [index, finding] of findings.entries()) {
    if (index % 16 === 15) yield;
    if (!deltas.some(({ from, to }) => finding.start < to && finding.end > from)) own.push(finding);
  }
  return data === null || own.length === 0 ? own : yield* withPointers(own, data);
}

const TYPE = 'text/plain';

function* withPointers(
  found: readonly Finding[],
  { bytes, from, to }: EventData,
): Generator<undefined, readonly Finding[]> {
  const ranges = found.map(({ start, end, kind }) => ({ start: start - from, end: end - from, mask: maskOf(kind) }));
  const pointers = yield* pointersOf(bytes.subarray(from, to), ranges);
  return found.map((finding, at) => ({ ...finding, pointer: pointers[at] ?? null }));
}

/** Reads the events that match the template of a channel's last one. Unchanged ones stay at their position in memory. */
function takeFastPath(channel: OpenChannel, framer: Framer, channels: Channels, exit: Exit): void {
  const { scanner } = channel;
  const template = channel.template.value;
  const { bytes } = framer;
  const view = viewOf(bytes);
  let at = framer.at;
  while (!exit.blocked) {
    const from = at + template.before.length;
    const to = stringEnd(bytes, view, at, template);
    const end = to + template.after.length;
    if (to < 0 || end - at > LONGEST_EVENT) break;
    if (!scanner.passes(bytes, from, to)) {
      const text = stringOf(bytes, from, to);
      if (text === null) break;
      const before = exit.clear ? null : framer.take(at - framer.at);
      if (before !== null && before.length > 0) exit.letGo(before);
      const left = channels.feed(channel, text);
      if (left !== text || exit.blocked || !exit.clear) {
        if (before === null) exit.pass(framer.take(at - framer.at));
        const event = framer.take(end - at);
        exit.letGo(event, left === text ? [] : [{ from: from - at, to: to - at, text: literalOf(left) }]);
        if (!exit.clear) exit.settle(channels.held);
      }
    }
    at = end;
  }
  const run = framer.take(at - framer.at);
  if (run.length > 0) exit.letGo(run);
}

/** The event that ends most streams, as all services write it. */
const DONE = Buffer.from('data: [DONE]\n\n');

/** Events of a chunk that are read without a pause, where the caller allows pauses. */
const EVENTS_A_STEP = 8;
/** Bytes of a long event that are read without a pause. */
const PART = 4 * 1024;
/** Deltas of an event that are read without a pause. */
const DELTAS_A_STEP = 16;

/**
 * A streamed answer, event by event: a pure state machine. With `mayPause`, reading stops after some tenths of a millisecond: the
 * step is then `paused`, and `goOn` continues.
 */
export interface EventStream {
  push(chunk: Uint8Array, mayPause?: boolean): EventStep;
  end(mayPause?: boolean): EventStep;
  goOn(): EventStep;
}

/** An event whose texts were read: the received and sent part of each delta. */
interface ReadEvent {
  readonly bytes: Uint8Array;
  readonly data: EventData;
  readonly deltas: readonly Delta[];
  readonly came: readonly string[];
  readonly left: string[];
}

/**
 * Scans a streamed answer (issue: one scanner per logical channel). Only delta strings, and other strings with a whole secret,
 * are rewritten; the structure of the events and all other bytes stay. Without a finding, every byte stays.
 */
export function createEventStream(scanner: Scanner, responses: Responses, framing: Framing): EventStream {
  return new ScannedEvents(scanner, responses, framing);
}

class ScannedEvents implements EventStream {
  readonly #scanner: Scanner;
  readonly #responses: Responses;
  readonly #framing: Framing;
  readonly #framer: Framer;
  readonly #exit = new Exit();
  readonly #channels: Channels;
  /** The channel of the last event, if that had one delta and nothing else of interest. */
  #fastChannel: OpenChannel | null = null;
  /**
   * Prefixes of the names of channels that the last event ended. Its own channels end only if the next event does not continue
   * them: some providers send a finish reason with every event.
   */
  #ended: readonly string[] = [];
  /** That event, where part of such a text waits: it does not leave before. */
  #lingering: ReadEvent | null = null;
  /** The text of an event that is too long to collect, while its parts arrive. */
  #long: Channel | null = null;
  /** The event that is being read, or the end of the stream. */
  #reading: Generator<undefined, void> | null = null;

  constructor(scanner: Scanner, responses: Responses, framing: Framing) {
    this.#scanner = scanner;
    this.#responses = responses;
    this.#framing = framing;
    this.#framer = new Framer(framing);
    this.#channels = new Channels(scanner, responses, this.#exit);
  }

  push(chunk: Uint8Array, mayPause = false): EventStep {
    this.#framer.add(chunk);
    return this.#step(mayPause);
  }

  end(mayPause = false): EventStep {
    this.#reading = this.#readEnd(this.#framer.end());
    return this.#step(mayPause);
  }

  goOn(): EventStep {
    return this.#step(true);
  }

  #step(mayPause: boolean): EventStep {
    for (let events = 0; !this.#exit.blocked; events++) {
      while (this.#reading?.next().done === false) if (mayPause) return this.#exit.take(true);
      this.#reading = null;
      if (mayPause && events === EVENTS_A_STEP) return this.#exit.take(true);
      if (this.#fastChannel !== null) takeFastPath(this.#fastChannel, this.#framer, this.#channels, this.#exit);
      const bytes = this.#exit.blocked ? null : this.#framer.next();
      if (bytes === null) break;
      this.#reading = this.#frame(bytes, false);
    }
    return this.#exit.take();
  }

  *#readEnd(rest: Uint8Array): Generator<undefined, void> {
    if (rest.length > 0 || this.#long !== null) yield* this.#frame(rest, true);
    if (!this.#exit.blocked) yield* this.#closeAll();
    this.#settle();
  }

  /** @param last no event follows: it can lack the line ends of a complete event. */
  *#frame(bytes: Uint8Array, last: boolean): Generator<undefined, void> {
    this.#fastChannel = null;
    const goesOn = this.#framer.oversized && !last;
    if (goesOn || this.#long !== null) yield* this.#readPart(bytes, goesOn);
    else if (DONE.equals(bytes)) {
      yield* this.#closeAll();
      this.#exit.letGo(bytes);
    } else yield* this.#read(bytes, last);
    this.#settle();
  }

  /** A part of an event that is too long to collect. All parts are one text: a secret may be split over them. */
  *#readPart(bytes: Uint8Array, goesOn: boolean): Generator<undefined, void> {
    if (this.#long === null && this.#lingering !== null) yield* this.#endBefore(this.#lingering.deltas);
    this.#long ??= this.#scanner.channel(this.#responses, null, 'latin1');
    for (let at = 0; at < bytes.length && !this.#exit.blocked; at += PART) {
      if (at > 0) yield;
      this.#leaveInParts(this.#long.push(Buffer.from(bytes.subarray(at, at + PART)).toString('latin1')));
    }
    if (goesOn) return;
    this.#leaveInParts(this.#long.end());
    this.#long = null;
  }

  #leaveInParts({ text, findings, blocked }: ChannelStep): void {
    this.#exit.found(findings, blocked);
    this.#exit.letGo(Buffer.from(text, 'latin1'));
  }

  /** Tells what waits that an event was read. */
  #settle(): void {
    if (!this.#exit.clear) this.#exit.settle(this.#channels.held);
  }

  *#read(bytes: Uint8Array, last: boolean): Generator<undefined, void> {
    const data = bytes.length > LONGEST_EVENT ? null : dataOf(bytes, this.#framing);
    const json = data === null ? null : decoded(data.bytes, data.from, data.to);
    const done = json !== null && isDone(json);
    const event = json === null || done ? undefined : parse(json);
    if (data === null || json === null || event === undefined) {
      if (done || last) yield* this.#closeAll();
      else if (this.#lingering !== null) yield* this.#endBefore(this.#lingering.deltas);
      if (!this.#exit.blocked) yield* this.#leaveWith(bytes, null, [], []);
      return;
    }
    const deltas = yield* deltasOf(data, json, event);
    yield* this.#endBefore(deltas);
    if (this.#exit.blocked) return;
    this.#ended = last ? [''] : findEndedBy(event);
    this.#lingering = yield* this.#readTexts(bytes, data, deltas);
    if (last) yield* this.#endBefore([]);
    else if (this.#exit.blocked || !this.#waitsForItsEnd(deltas)) yield* this.#leave();
  }

  /** Feeds the texts of an event to their channels, and ends those that end with it. */
  *#readTexts(bytes: Uint8Array, data: EventData, deltas: readonly Delta[]): Generator<undefined, ReadEvent> {
    const [came, left]: [string[], string[]] = [[], []];
    for (const [at, delta] of deltas.entries()) {
      if (at % DELTAS_A_STEP === DELTAS_A_STEP - 1) yield;
      const text = textOfDelta(bytes, delta);
      came.push(text);
      // After a blocked secret nothing follows, also of other texts, because they are not scanned.
      left.push(this.#exit.blocked ? '' : this.#channels.feed(this.#channels.open(delta.channel), text));
    }
    yield* this.#closeEnded(deltas);
    return { bytes, data, deltas, came, left };
  }

  /** Ends the channels of the prefixes that the last event ended, except texts that an event with these channels continues. */
  *#closeEnded(present: readonly Delta[]): Generator<undefined, void> {
    for (const [index, prefix] of this.#ended.entries()) {
      if (index % DELTAS_A_STEP === DELTAS_A_STEP - 1) yield;
      if (!this.#exit.blocked) this.#channels.close(prefix, present);
    }
  }

  /** Whether the event ends texts that it carries, of which some waits. */
  #waitsForItsEnd(deltas: readonly Delta[]): boolean {
    return deltas.some(({ channel }) => this.#isEnded(channel) && (this.#channels.get(channel)?.scanner.held ?? 0) > 0);
  }

  #isEnded(channel: string): boolean {
    return this.#ended.some((prefix) => channel.startsWith(prefix));
  }

  /** Ends the channels that the previous event ended, except texts that an event with these channels continues. */
  *#endBefore(present: readonly Delta[]): Generator<undefined, void> {
    if (this.#lingering !== null) {
      const { deltas, left } = this.#lingering;
      // The last position first: delayed text of a doubled text comes after both.
      for (const [at, { channel }] of [...deltas.entries()].reverse()) {
        if (at % DELTAS_A_STEP === DELTAS_A_STEP - 1) yield;
        if (!this.#exit.blocked && this.#isEnded(channel) && !present.some((delta) => delta.channel === channel))
          left[at] += this.#channels.end(channel);
      }
      yield* this.#leave();
    }
    yield* this.#closeEnded(present);
    this.#ended = [];
  }

  *#closeAll(): Generator<undefined, void> {
    yield* this.#endBefore([]);
    if (!this.#exit.blocked) this.#channels.close('', []);
  }

  /** The event that was read leaves. */
  *#leave(): Generator<undefined, void> {
    if (this.#lingering === null) return;
    const { bytes, data, deltas, came, left } = this.#lingering;
    this.#lingering = null;
    const changes = deltas.flatMap(({ from, to }, at) => {
      const text = left[at] ?? '';
      return text === came[at] ? [] : [{ from, to, text: literalOf(text) }];
    });
    const harmless = yield* this.#leaveWith(bytes, data, deltas, changes);
    for (const delta of deltas) {
      const channel = this.#channels.get(delta.channel);
      if (channel !== null) channel.template = new LazyTemplate(() => templateBut(bytes, deltas, delta));
    }
    const [only] = deltas;
    if (harmless && only !== undefined && deltas.length === 1 && this.#ended.length === 0)
      this.#fastChannel = this.#channels.get(only.channel);
  }

  /** Releases an event with these changes, and without secrets that are whole in it. True if there are none. */
  *#leaveWith(
    bytes: Uint8Array,
    data: EventData | null,
    deltas: readonly Delta[],
    changes: readonly Replacement[],
  ): Generator<undefined, boolean> {
    const found = yield* findComplete(this.#scanner, bytes, data, deltas);
    const blocked = found.some(({ confidence }) => this.#responses[confidence] === 'block');
    this.#exit.found(found, blocked);
    if (blocked) return false;
    const masks = found
      .filter(({ confidence }) => this.#responses[confidence] === 'mask')
      .map(({ start, end, kind }) => ({ from: start, to: end, text: maskOf(kind) }));
    this.#exit.letGo(bytes, changes, masks);
    return found.length === 0;
  }
}

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
