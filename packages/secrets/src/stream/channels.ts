import type { Channel } from '../channel/channel.ts';
import { withoutTokenLists } from '../json/token-lists.ts';
import type { Responses } from '../scan/response.ts';
import type { Scanner } from '../scanner/scanner.ts';
import { type Delta, literalOf } from './event.ts';
import { eventFrom, type LazyTemplate, NO_TEMPLATE } from './event-template.ts';
import type { Exit } from './exit.ts';

/** Beyond this number of concurrent texts, the oldest ones are ended. */
const MOST_CHANNELS = 256;

export interface OpenChannel {
  readonly name: string;
  readonly scanner: Channel;
  /** From the last event of the channel: the rest of the text leaves in an event like it. */
  template: LazyTemplate;
}

/** The unfinished texts of a streamed answer, with a scanner each. */
export class Channels {
  readonly #scanner: Scanner;
  readonly #responses: Responses;
  readonly #exit: Exit;
  readonly #open = new Map<string, OpenChannel>();

  constructor(scanner: Scanner, responses: Responses, exit: Exit) {
    this.#scanner = scanner;
    this.#responses = responses;
    this.#exit = exit;
  }

  /** The channel of that name; null for none. */
  get(name: string): OpenChannel | null {
    return this.#open.get(name) ?? null;
  }

  /** The channel of that name, created if it is missing. */
  open(name: string): OpenChannel {
    const known = this.#open.get(name);
    if (known !== undefined) return known;
    if (this.#open.size >= MOST_CHANNELS) this.close(this.#open.keys().next().value ?? '', []);
    const opened = { name, scanner: this.#scanner.channel(this.#responses, name), template: NO_TEMPLATE };
    this.#open.set(name, opened);
    return opened;
  }

  /** Characters of all channels that wait. */
  get held(): number {
    let held = 0;
    for (const { scanner } of this.#open.values()) held += scanner.held;
    return held;
  }

  /** Feeds a piece of its text to a channel. Returns what may leave. */
  feed({ name, scanner }: OpenChannel, text: string): string {
    const step = scanner.push(text);
    this.#exit.note(name, text, step.text);
    this.#exit.found(step.findings, step.blocked);
    return step.text;
  }

  /** Ends a channel. Returns what was left of its text. */
  end(name: string): string {
    const channel = this.#open.get(name);
    if (channel === undefined) return '';
    const step = channel.scanner.end();
    this.#exit.found(step.findings, step.blocked);
    this.#open.delete(name);
    this.#exit.note(name, '', step.text);
    return step.text;
  }

  /**
   * Ends channels whose name has this prefix, except those present: their delayed text leaves in an event like their last one.
   */
  close(prefix: string, present: readonly Delta[]): void {
    for (const [name, { template }] of this.#open) {
      if (!name.startsWith(prefix) || present.some((delta) => delta.channel === name)) continue;
      const text = this.end(name);
      if (text !== '') this.#exit.insert(withoutTokenLists(eventFrom(template.value, literalOf(text))));
      if (this.#exit.blocked) return;
    }
  }
}
