import { type Finding, maskOf } from '../finding.ts';
import { pointersOf } from '../json/pointer.ts';
import type { Responses } from '../response.ts';
import { runToEnd } from '../run-to-end.ts';
import type { Scanner } from '../scanner.ts';
import { eventLike, type Likeness, likenessOf, NO_LIKENESS, stringEnd, stringOf, viewOf } from './alike.ts';
import type { Channel } from './channel.ts';
import { endedBy } from './deltas.ts';
import {
  type Change,
  type Delta,
  dataOf,
  deltasOf,
  type EventData,
  isDone,
  literalOf,
  parse,
  replace,
  textOf,
  textOfDelta,
} from './event.ts';
import { Framer, type Framing } from './framing.ts';
import { Output } from './output.ts';
import { Verbatim } from './verbatim.ts';

/** An answer with more texts at once than this gets its oldest ones ended. */
const MOST_CHANNELS = 256;

/** Longer events, and parts of such, are scanned as text. */
const LONGEST_EVENT = 256 * 1024;

/** The event that ends most streams, as all services write it. */
const DONE = Buffer.from('data: [DONE]\n\n');

/** What may be sent on after bytes of a streamed answer came in. */
export interface EventStep {
  readonly bytes: Uint8Array;
  readonly findings: readonly Finding[];
  /** Block mode: a secret would come next. The stream has to be ended; nothing more comes out. */
  readonly blocked: boolean;
}

/** A streamed answer, event by event: a pure state machine. */
export interface EventStream {
  push(chunk: Uint8Array): EventStep;
  end(): EventStep;
}

interface OpenChannel {
  readonly name: string;
  readonly scanner: Channel;
  /** Of the last event that carried the channel: what is left at the end leaves in an event like it. */
  likeness: Likeness;
}

/** An event whose texts were read: what of each delta came, and what leaves. */
interface ReadEvent {
  readonly bytes: Uint8Array;
  readonly data: EventData;
  readonly deltas: readonly Delta[];
  readonly came: readonly string[];
  readonly left: string[];
}

/**
 * Scans a streamed answer (issue: one scanner a logical channel). Only the delta strings are rewritten, and the other
 * strings in which a secret stands whole; the structure of the events and all other bytes stay. Where nothing is found, every
 * byte does.
 */
export function createEventStream(scanner: Scanner, responses: Responses, framing: Framing): EventStream {
  const framer = new Framer(framing);
  const channels = new Map<string, OpenChannel>();
  const out = new Output();
  const verbatim = new Verbatim(out);
  let findings: Finding[] = [];
  let blocked = false;
  /** The channel of the last event, where that held one delta and nothing else of interest. */
  let alike: OpenChannel | null = null;
  /**
   * Beginnings of the names of channels that the last event ended. Those that it carried end once the next one does not go on with
   * them: some providers give a reason to finish with every event.
   */
  let ended: readonly string[] = [];
  /** That event, where part of such a text waits: it does not leave before. */
  let lingering: ReadEvent | null = null;

  function openChannel(name: string): OpenChannel {
    const known = channels.get(name);
    if (known !== undefined) return known;
    if (channels.size >= MOST_CHANNELS) close([...channels.keys()][0] ?? '', []);
    const opened = { name, scanner: scanner.channel(responses, name), likeness: NO_LIKENESS };
    channels.set(name, opened);
    return opened;
  }

  /** @param last nothing comes after it, and nothing may: it can lack the line ends of a whole event. */
  function frame(bytes: Uint8Array, last = false): void {
    alike = null;
    if (DONE.equals(bytes)) {
      closeAll();
      letGo(bytes, []);
    } else read(bytes, last);
    settle();
  }

  function read(bytes: Uint8Array, last: boolean): void {
    const data = bytes.length > LONGEST_EVENT ? null : dataOf(bytes, framing);
    const json = data === null ? null : textOf(data.bytes, data.from, data.to);
    const done = json !== null && isDone(json);
    const event = json === null || done ? undefined : parse(json);
    if (data === null || json === null || event === undefined) {
      if (done || last) closeAll();
      else if (lingering !== null) endBefore(lingering.deltas);
      if (!blocked) whole(bytes, null, [], []);
      return;
    }
    const deltas = deltasOf(data, json, event);
    endBefore(deltas);
    if (blocked) return;
    ended = last ? [''] : endedBy(event);
    const came = deltas.map((delta) => textOfDelta(bytes, delta));
    // Behind a secret that is blocked nothing follows, of other texts neither: nobody looked into them.
    const left = deltas.map(({ channel }, at) =>
      blocked ? '' : feed(channel, openChannel(channel).scanner, came[at] ?? ''),
    );
    if (!blocked) for (const prefix of ended) close(prefix, deltas);
    const waits = deltas.some(({ channel }) => isEnded(channel) && (channels.get(channel)?.scanner.held ?? 0) > 0);
    lingering = { bytes, data, deltas, came, left };
    if (last) endBefore([]);
    else if (blocked || !waits) leave();
  }

  /** The event that was read leaves. */
  function leave(): void {
    if (lingering === null) return;
    const { bytes, data, deltas, came, left } = lingering;
    lingering = null;
    const changes = deltas.flatMap(({ from, to }, at) => {
      const text = left[at] ?? '';
      return text === came[at] ? [] : [{ from, to, text: literalOf(text) }];
    });
    const harmless = whole(bytes, data, deltas, changes);
    for (const delta of deltas) remember(bytes, deltas, delta);
    const [only] = deltas;
    if (harmless && only !== undefined && deltas.length === 1 && ended.length === 0)
      alike = channels.get(only.channel) ?? null;
  }

  function isEnded(channel: string): boolean {
    return ended.some((prefix) => channel.startsWith(prefix));
  }

  /** Ends what the event before ended, but for the texts that an event goes on with which carries these. */
  function endBefore(present: readonly Delta[]): void {
    if (lingering !== null) {
      const { deltas, left } = lingering;
      // The last place first: what waits of a text that stands in two comes behind both.
      for (const [at, { channel }] of [...deltas.entries()].reverse()) {
        if (!blocked && isEnded(channel) && !present.some((delta) => delta.channel === channel))
          left[at] += ending(channel);
      }
      leave();
    }
    for (const prefix of ended) if (!blocked) close(prefix, present);
    ended = [];
  }

  /** Takes the events that are like the last one. Those that leave as they came stay where they are in memory. */
  function takeAlike({ name, scanner: channel, likeness }: OpenChannel): void {
    const { bytes } = framer;
    const view = viewOf(bytes);
    let at = framer.at;
    while (!blocked) {
      const from = at + likeness.before.length;
      const to = stringEnd(bytes, view, at, likeness);
      const end = to + likeness.after.length;
      if (to < 0 || end - at > LONGEST_EVENT) break;
      if (!channel.passes(bytes, from, to)) {
        const text = stringOf(bytes, from, to);
        if (text === null) break;
        const before = verbatim.clear ? null : framer.take(at - framer.at);
        if (before !== null && before.length > 0) letGo(before, []);
        const left = feed(name, channel, text);
        if (left !== text || blocked || !verbatim.clear) {
          if (before === null) out.add(framer.take(at - framer.at));
          const event = framer.take(end - at);
          letGo(event, left === text ? [] : [{ from: from - at, to: to - at, text: literalOf(left) }]);
          settle();
        }
      }
      at = end;
    }
    const run = framer.take(at - framer.at);
    if (run.length > 0) letGo(run, []);
  }

  /** Tells what waits that an event was read. */
  function settle(): void {
    if (verbatim.clear) return;
    let held = 0;
    for (const { scanner: channel } of channels.values()) held += channel.held;
    verbatim.settle(held);
  }

  /** Feeds a text to its channel. Returns what may leave. */
  function feed(name: string, channel: Channel, text: string): string {
    const step = channel.push(text);
    verbatim.note(name, text, step.text);
    if (step.findings.length > 0) findings.push(...step.findings);
    blocked ||= step.blocked;
    return step.text;
  }

  /** Ends a channel. Returns what was left of its text. */
  function ending(name: string): string {
    const channel = channels.get(name);
    if (channel === undefined) return '';
    const step = channel.scanner.end();
    findings.push(...step.findings);
    blocked ||= step.blocked;
    channels.delete(name);
    verbatim.note(name, '', step.text);
    return step.text;
  }

  /**
   * Scans the strings of an event that are complete in themselves, then lets the event go. True where nothing was found
   * in them.
   */
  function whole(
    bytes: Uint8Array,
    data: EventData | null,
    deltas: readonly Delta[],
    changes: readonly Change[],
  ): boolean {
    const found = scanner.scanBody(bytes, 'text/plain').findings;
    const own = found.filter(({ start, end }) => !deltas.some(({ from, to }) => start < to && end > from));
    if (own.length === 0) {
      letGo(bytes, changes);
      return true;
    }
    findings.push(...(data === null ? own : withPointers(own, data.bytes.subarray(data.from, data.to), data.from)));
    if (own.some(({ confidence }) => responses[confidence] === 'block')) blocked = true;
    else {
      const masks = own
        .filter(({ confidence }) => responses[confidence] === 'mask')
        .map(({ start, end, kind }) => ({ from: start, to: end, text: maskOf(kind) }));
      letGo(bytes, changes, masks);
    }
    return false;
  }

  /** What was blocked leaves only with a text that comes before the secret. */
  function letGo(bytes: Uint8Array, changes: readonly Change[], masks: readonly Change[] = []): void {
    if (blocked || masks.length > 0) verbatim.giveUp();
    if (!blocked || changes.some(({ text }) => text !== ''))
      verbatim.add(bytes, replace(bytes, [...changes, ...masks]));
  }

  function remember(bytes: Uint8Array, deltas: readonly Delta[], { channel, from, to }: Delta): void {
    const open = channels.get(channel);
    if (open === undefined) return;
    if (deltas.length === 1) {
      open.likeness = likenessOf(bytes.subarray(0, from), bytes.subarray(to));
      return;
    }
    const others = deltas.filter((other) => other.from !== from).map((other) => ({ ...other, text: '' }));
    const before = others.filter((other) => other.from < from);
    const after = others.filter((other) => other.from > from);
    open.likeness = likenessOf(
      replace(bytes.subarray(0, from), before),
      replace(
        bytes.subarray(to),
        after.map((other) => ({ text: '', from: other.from - to, to: other.to - to })),
      ),
    );
  }

  /** Ends channels whose name begins so: what they held back leaves in an event like their last one. */
  function close(prefix: string, present: readonly Delta[]): void {
    for (const [name, { likeness }] of channels) {
      if (!name.startsWith(prefix) || present.some((delta) => delta.channel === name)) continue;
      const text = ending(name);
      if (text !== '') verbatim.add(null, eventLike(likeness, literalOf(text)));
      if (blocked) return;
    }
  }

  function closeAll(): void {
    endBefore([]);
    if (!blocked) close('', []);
  }

  function takeFrames(): void {
    for (;;) {
      if (alike !== null && !blocked) takeAlike(alike);
      const bytes = blocked ? null : framer.next();
      if (bytes === null) return;
      frame(bytes);
    }
  }

  function step(): EventStep {
    if (blocked) verbatim.giveUp();
    const result = { bytes: out.take(), findings, blocked };
    findings = [];
    return result;
  }

  return {
    push(chunk) {
      framer.add(chunk);
      takeFrames();
      return step();
    },
    end() {
      const rest = framer.end();
      if (!blocked && rest.length > 0) frame(rest, true);
      if (!blocked) closeAll();
      settle();
      return step();
    },
  };
}

function withPointers(found: readonly Finding[], json: Uint8Array, offset: number): readonly Finding[] {
  if (found.length === 0) return found;
  const ranges = found.map(({ start, end, kind }) => ({
    start: start - offset,
    end: end - offset,
    mask: maskOf(kind),
  }));
  const pointers = runToEnd(pointersOf(json, ranges));
  return found.map((finding, at) => ({ ...finding, pointer: pointers[at] ?? null }));
}
