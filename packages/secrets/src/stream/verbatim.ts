import type { Output } from './output.ts';

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
