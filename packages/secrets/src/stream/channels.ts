import type { Responses } from '../scan/response.ts';
import { withoutTokenLists } from '../text/token-lists.ts';
import type { Channel } from './channel.ts';
import { type Delta, decoded, literalOf, replace, type Span } from './event.ts';
import type { Exit } from './exit.ts';
import type { Scanner } from './scanner.ts';

const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Makes a template when it is first needed: of an event with many deltas, most never are. */
export class LazyTemplate {
  #made: EventTemplate | null = null;
  readonly #make: () => EventTemplate;

  constructor(make: () => EventTemplate) {
    this.#make = make;
  }

  get value(): EventTemplate {
    this.#made ??= this.#make();
    return this.#made;
  }
}

/** No event is known yet. */
const NO_TEMPLATE = new LazyTemplate(() => templateOf(new Uint8Array(0), new Uint8Array(0)));

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

/**
 * An event without one string. Most events of a stream equal the previous one except for the text at the same position: the
 * position is known then, and everything around it has been scanned.
 */
interface EventTemplate {
  readonly before: Uint8Array;
  /** The same, for reading in larger units. */
  readonly beforeView: DataView;
  readonly after: Uint8Array;
  /** Whether the event ends where `after` does: after a carriage return only the next byte decides. */
  readonly whole: boolean;
}

/** @param before bytes of an event up to the string, and `after` those behind it; both are copied. */
export function templateOf(before: Uint8Array, after: Uint8Array): EventTemplate {
  const [head, tail] = [Buffer.from(before), Buffer.from(after)];
  return { before: head, beforeView: viewOf(head), after: tail, whole: tail[tail.length - 1] === LINE_FEED };
}

/** An event without one of its deltas. The others are empty in it. */
export function templateBut(bytes: Uint8Array, deltas: readonly Delta[], { from, to }: Span): EventTemplate {
  const others = deltas.filter((delta) => delta.from !== from);
  const emptied = (start: number, end: number): Uint8Array => {
    const inside = others.filter((delta) => delta.from >= start && delta.to <= end);
    return replace(
      bytes.subarray(start, end),
      inside.map((delta) => ({ from: delta.from - start, to: delta.to - start, text: '' })),
    );
  };
  return templateOf(emptied(0, from), emptied(to, bytes.length));
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** An event like the others, with this string. */
export function eventFrom({ before, after }: EventTemplate, literal: string): Uint8Array {
  return Buffer.concat([before, Buffer.from(literal), after]);
}

/**
 * Where the string of the event at `at` ends; -1 where there is no complete event with this template.
 * @param view of the same bytes.
 */
export function stringEnd(bytes: Uint8Array, view: DataView, at: number, template: EventTemplate): number {
  const { before, after, whole } = template;
  if (!whole || !startsWithTemplate(bytes, view, at, template)) return -1;
  let end = at + before.length;
  while (end < bytes.length && bytes[end] !== QUOTE) end += bytes[end] === BACKSLASH ? 2 : 1;
  return standsAt(after, bytes, end, 0) ? end : -1;
}

/** The text of a JSON string literal; null for invalid ones. It cannot contain a line end. */
export function stringOf(bytes: Uint8Array, from: number, to: number): string | null {
  try {
    return JSON.parse(`"${decoded(bytes, from, to)}"`) as string;
  } catch {
    return null;
  }
}

/** Compares four bytes at a time: the part before the string is most of an event. */
function startsWithTemplate(
  bytes: Uint8Array,
  view: DataView,
  at: number,
  { before, beforeView }: EventTemplate,
): boolean {
  if (at + before.length > bytes.length) return false;
  const fours = before.length - (before.length % 4);
  for (let index = 0; index < fours; index += 4)
    if (view.getInt32(at + index) !== beforeView.getInt32(index)) return false;
  return standsAt(before, bytes, at, fours);
}

function standsAt(part: Uint8Array, bytes: Uint8Array, at: number, from: number): boolean {
  if (at + part.length > bytes.length) return false;
  for (let index = from; index < part.length; index++) if (bytes[at + index] !== part[index]) return false;
  return true;
}
