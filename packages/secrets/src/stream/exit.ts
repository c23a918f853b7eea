import type { Finding } from '../scan/response.ts';
import { withoutTokenLists } from '../text/token-lists.ts';
import { type Replacement, replace } from './event.ts';

/** Bytes on their way out, in pieces. Pieces that are neighbours in memory leave as one, uncopied. */
export class Output {
  #pieces: Uint8Array[] = [];

  add(bytes: Uint8Array): void {
    const last = this.#pieces.at(-1);
    if (last === undefined || last.buffer !== bytes.buffer || last.byteOffset + last.length !== bytes.byteOffset) {
      this.#pieces.push(bytes);
      return;
    }
    this.#pieces[this.#pieces.length - 1] = Buffer.from(last.buffer, last.byteOffset, last.length + bytes.length);
  }

  /** All of it, which then is here no longer. */
  take(): Uint8Array {
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces);
  }
}

/** Most bytes of events that wait for a text to be decided: some hundred events. What is longer leaves rewritten. */
const MOST_WAITING = 64 * 1024;

/** An event as received, and as sent where its text has moved; null for none. */
interface Waiting {
  readonly came: Uint8Array | null;
  readonly left: Uint8Array | null;
}

/**
 * Lets events leave byte for byte although part of their text waited (relay-16). Where some text of an event
 * is held back, the event waits with those behind it until the text is decided: they leave as they came where nothing was
 * changed in it. What may not wait leaves at once with the text that is decided, the rest of it in a later event.
 *
 * - `clear`: no text waits.
 * - `waiting`: text of one channel waits, and every event since carried that channel.
 * - `rewriting`: text waits, and events leave without it.
 */
export class Verbatim {
  readonly #out: Output;
  #state: 'clear' | 'waiting' | 'rewriting' = 'clear';
  #waiting: Waiting[] = [];
  #bytes = 0;
  /** For the channel with delayed text: the text received since, and the text sent. */
  #channel = '';
  #came = '';
  #left = '';
  /** Whether the event that is being read carries that channel. */
  #carried = false;

  constructor(out: Output) {
    this.#out = out;
  }

  /** Whether no text waits. */
  get clear(): boolean {
    return this.#state === 'clear';
  }

  /** A text received in a channel, and its replacement. */
  note(channel: string, came: string, left: string): void {
    if (this.#state === 'rewriting' || (this.#state === 'clear' && came === left)) return;
    if (this.#state === 'clear') {
      this.#state = 'waiting';
      this.#channel = channel;
    } else if (channel !== this.#channel) {
      if (came !== left) this.giveUp();
      return;
    }
    this.#carried = true;
    this.#came += came;
    this.#left += left;
  }

  /** An event in its turn. */
  add(came: Uint8Array | null, left: Uint8Array | null): void {
    if (this.#state !== 'waiting') {
      if (left !== null) this.#out.add(left);
      return;
    }
    this.#waiting.push({ came, left });
    this.#bytes += (came ?? left ?? []).length;
  }

  /** What waits leaves without the text that is not decided. */
  giveUp(): void {
    this.#leave((event) => event.left);
    this.#state = 'rewriting';
  }

  /** An event was read. @param held delayed characters, of all channels */
  settle(held: number): void {
    if (held === 0) {
      const asTheyCame = this.#came === this.#left;
      this.#leave((event) => (asTheyCame ? event.came : event.left));
      this.#state = 'clear';
    } else if (this.#state === 'waiting' && (!this.#carried || this.#bytes > MOST_WAITING)) this.giveUp();
    this.#carried = false;
  }

  #leave(form: (event: Waiting) => Uint8Array | null): void {
    for (const event of this.#waiting) {
      const bytes = form(event);
      if (bytes !== null) this.#out.add(bytes);
    }
    this.#waiting = [];
    this.#bytes = 0;
    this.#came = '';
    this.#left = '';
  }
}

/** The output after bytes of a streamed answer arrived. */
export interface EventStep {
  readonly bytes: Uint8Array;
  readonly findings: readonly Finding[];
  /** Block mode: a secret would come next. The stream must be ended; there is no more output. */
  readonly blocked: boolean;
  /** Reading has paused: call `goOn` before anything else is pushed. */
  readonly paused: boolean;
}

/** Where a streamed answer leaves: its events in their turn, with what was found in them. */
export class Exit {
  readonly #out = new Output();
  readonly #verbatim = new Verbatim(this.#out);
  #findings: Finding[] = [];
  #blocked = false;

  /** Whether a secret ends the answer. */
  get blocked(): boolean {
    return this.#blocked;
  }

  /** Whether no text waits. */
  get clear(): boolean {
    return this.#verbatim.clear;
  }

  /** @param blocked whether one of them ends the answer */
  found(findings: readonly Finding[], blocked: boolean): void {
    if (findings.length > 0) this.#findings.push(...findings);
    this.#blocked ||= blocked;
  }

  /** A text received in a channel, and its replacement. */
  note(channel: string, came: string, left: string): void {
    this.#verbatim.note(channel, came, left);
  }

  /** Bytes that arrived while no text waited: they leave before any text delayed since. */
  pass(bytes: Uint8Array): void {
    this.#out.add(bytes);
  }

  /** An event in its turn. Of a blocked stream, only an event with text before the secret leaves. */
  letGo(bytes: Uint8Array, changes: readonly Replacement[] = [], masks: readonly Replacement[] = []): void {
    if (this.#blocked || masks.length > 0) this.#verbatim.giveUp();
    if (this.#blocked && changes.every(({ text }) => text === '')) return;
    const left = replace(bytes, [...changes, ...masks]);
    this.#verbatim.add(bytes, left === bytes ? bytes : withoutTokenLists(left));
  }

  /** A generated event: it contains the end of a text whose own events have left. */
  insert(event: Uint8Array): void {
    this.#verbatim.add(null, event);
  }

  /** An event was read. @param held delayed characters, of all channels */
  settle(held: number): void {
    this.#verbatim.settle(held);
  }

  /** All that may leave by now. */
  take(paused = false): EventStep {
    if (this.#blocked) this.#verbatim.giveUp();
    const step = {
      bytes: this.#out.take(),
      findings: this.#findings,
      blocked: this.#blocked,
      paused: paused && !this.#blocked,
    };
    this.#findings = [];
    return step;
  }
}
