import type { Channel, ChannelStep } from '../channel/channel.ts';
import { maskOf } from '../scan/finding.ts';
import type { Responses } from '../scan/response.ts';
import type { Scanner } from '../scanner/scanner.ts';
import { Channels, type OpenChannel } from './channels.ts';
import { findComplete } from './complete-strings.ts';
import { findEndedBy } from './deltas.ts';
import {
  type Change,
  type Delta,
  dataOf,
  deltasOf,
  type EventData,
  isDone,
  LONGEST_EVENT,
  literalOf,
  parse,
  textOf,
  textOfDelta,
} from './event.ts';
import { templateBut } from './event-template.ts';
import { type EventStep, Exit } from './exit.ts';
import { takeFastPath } from './fast-path.ts';
import { Framer, type Framing } from './framing.ts';

/** The event that ends most streams, as all services write it. */
const DONE = Buffer.from('data: [DONE]\n\n');

/** A streamed answer, event by event: a pure state machine. */
export interface EventStream {
  push(chunk: Uint8Array): EventStep;
  end(): EventStep;
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

  constructor(scanner: Scanner, responses: Responses, framing: Framing) {
    this.#scanner = scanner;
    this.#responses = responses;
    this.#framing = framing;
    this.#framer = new Framer(framing);
    this.#channels = new Channels(scanner, responses, this.#exit);
  }

  push(chunk: Uint8Array): EventStep {
    this.#framer.add(chunk);
    while (!this.#exit.blocked) {
      if (this.#fastChannel !== null) takeFastPath(this.#fastChannel, this.#framer, this.#channels, this.#exit);
      const bytes = this.#exit.blocked ? null : this.#framer.next();
      if (bytes === null) break;
      this.#frame(bytes, false);
    }
    return this.#exit.take();
  }

  end(): EventStep {
    const rest = this.#framer.end();
    if (!this.#exit.blocked && (rest.length > 0 || this.#long !== null)) this.#frame(rest, true);
    if (!this.#exit.blocked) this.#closeAll();
    this.#settle();
    return this.#exit.take();
  }

  /** @param last no event follows: it can lack the line ends of a complete event. */
  #frame(bytes: Uint8Array, last: boolean): void {
    this.#fastChannel = null;
    const goesOn = this.#framer.oversized && !last;
    if (goesOn || this.#long !== null) this.#readPart(bytes, goesOn);
    else if (DONE.equals(bytes)) {
      this.#closeAll();
      this.#exit.letGo(bytes);
    } else this.#read(bytes, last);
    this.#settle();
  }

  /** A part of an event that is too long to collect. All parts are one text: a secret may be split over them. */
  #readPart(bytes: Uint8Array, goesOn: boolean): void {
    if (this.#long === null && this.#lingering !== null) this.#endBefore(this.#lingering.deltas);
    this.#long ??= this.#scanner.channel(this.#responses, null, 'latin1');
    this.#leaveInParts(this.#long.push(Buffer.from(bytes).toString('latin1')));
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

  #read(bytes: Uint8Array, last: boolean): void {
    const data = bytes.length > LONGEST_EVENT ? null : dataOf(bytes, this.#framing);
    const json = data === null ? null : textOf(data.bytes, data.from, data.to);
    const done = json !== null && isDone(json);
    const event = json === null || done ? undefined : parse(json);
    if (data === null || json === null || event === undefined) {
      if (done || last) this.#closeAll();
      else if (this.#lingering !== null) this.#endBefore(this.#lingering.deltas);
      if (!this.#exit.blocked) this.#leaveWith(bytes, null, [], []);
      return;
    }
    const deltas = deltasOf(data, json, event);
    this.#endBefore(deltas);
    if (this.#exit.blocked) return;
    this.#ended = last ? [''] : findEndedBy(event);
    this.#lingering = this.#readTexts(bytes, data, deltas);
    if (last) this.#endBefore([]);
    else if (this.#exit.blocked || !this.#waitsForItsEnd(deltas)) this.#leave();
  }

  /** Feeds the texts of an event to their channels, and ends those that end with it. */
  #readTexts(bytes: Uint8Array, data: EventData, deltas: readonly Delta[]): ReadEvent {
    const came = deltas.map((delta) => textOfDelta(bytes, delta));
    // After a blocked secret nothing follows, also of other texts, because they are not scanned.
    const left = deltas.map(({ channel }, at) =>
      this.#exit.blocked ? '' : this.#channels.feed(this.#channels.open(channel), came[at] ?? ''),
    );
    for (const prefix of this.#ended) if (!this.#exit.blocked) this.#channels.close(prefix, deltas);
    return { bytes, data, deltas, came, left };
  }

  /** Whether the event ends texts that it carries, of which some waits. */
  #waitsForItsEnd(deltas: readonly Delta[]): boolean {
    return deltas.some(({ channel }) => this.#isEnded(channel) && (this.#channels.get(channel)?.scanner.held ?? 0) > 0);
  }

  #isEnded(channel: string): boolean {
    return this.#ended.some((prefix) => channel.startsWith(prefix));
  }

  /** Ends the channels that the previous event ended, except texts that an event with these channels continues. */
  #endBefore(present: readonly Delta[]): void {
    if (this.#lingering !== null) {
      const { deltas, left } = this.#lingering;
      // The last position first: delayed text of a doubled text comes after both.
      for (const [at, { channel }] of [...deltas.entries()].reverse()) {
        if (!this.#exit.blocked && this.#isEnded(channel) && !present.some((delta) => delta.channel === channel))
          left[at] += this.#channels.end(channel);
      }
      this.#leave();
    }
    for (const prefix of this.#ended) if (!this.#exit.blocked) this.#channels.close(prefix, present);
    this.#ended = [];
  }

  #closeAll(): void {
    this.#endBefore([]);
    if (!this.#exit.blocked) this.#channels.close('', []);
  }

  /** The event that was read leaves. */
  #leave(): void {
    if (this.#lingering === null) return;
    const { bytes, data, deltas, came, left } = this.#lingering;
    this.#lingering = null;
    const changes = deltas.flatMap(({ from, to }, at) => {
      const text = left[at] ?? '';
      return text === came[at] ? [] : [{ from, to, text: literalOf(text) }];
    });
    const harmless = this.#leaveWith(bytes, data, deltas, changes);
    for (const delta of deltas) {
      const channel = this.#channels.get(delta.channel);
      if (channel !== null) channel.template = templateBut(bytes, deltas, delta);
    }
    const [only] = deltas;
    if (harmless && only !== undefined && deltas.length === 1 && this.#ended.length === 0)
      this.#fastChannel = this.#channels.get(only.channel);
  }

  /** Releases an event with these changes, and without secrets that are whole in it. True if there are none. */
  #leaveWith(bytes: Uint8Array, data: EventData | null, deltas: readonly Delta[], changes: readonly Change[]): boolean {
    const found = findComplete(this.#scanner, bytes, data, deltas);
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
