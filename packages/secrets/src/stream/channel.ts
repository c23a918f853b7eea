import { createHash, createHmac, type Hmac } from 'node:crypto';
import { CLASS_OF } from '../automaton/alphabet.ts';
import { type Finding, maskOf } from '../finding.ts';
import type { Responses } from '../response.ts';
import { WELL_KNOWN } from '../rules/well-known.ts';
import type { Catalogue } from '../scan/catalogue.ts';
import { Engine, type Match } from '../scan/engine.ts';
import { readEscape, UNFINISHED } from '../text/unescape.ts';
import { createBeginnings } from './beginnings.ts';

const BACKSLASH = 0x5c;
/** Stands for any character outside ASCII. */
const FOREIGN = 0xff;
/** Decoded bytes kept behind what was let go, for the checks that look back. */
const KEPT = 160;
/** Most characters that may wait. No check asks for more; a text that would is let go up to there. */
const CAP = 256;

export interface ChannelOptions {
  readonly catalogue: Catalogue;
  /** `mask` and `block` hold back what may be a secret; where both are `alert`, everything leaves at once. */
  readonly responses: Responses;
  readonly key: Uint8Array;
  readonly allowed: ReadonlySet<string>;
  /** What the findings say of the place: the pointer of the channel. */
  readonly pointer: string | null;
}

/** What may leave after a piece of text came in. */
export interface ChannelStep {
  readonly text: string;
  readonly findings: readonly Finding[];
  /** Block mode: a secret begins where `text` ends; nothing may follow. */
  readonly blocked: boolean;
}

/** A scanner of one logical text that arrives in pieces. Gives the same output and findings however it is cut. */
export interface Channel {
  /** Characters that came in and did not leave. */
  readonly held: number;
  push(text: string): ChannelStep;
  /** The text ended: everything that waits is decided and leaves. */
  end(): ChannelStep;
}

interface Swallowing {
  readonly match: Match;
  readonly hash: Hmac;
  readonly start: number;
  hashed: number;
  length: number;
}

export function createChannel(options: ChannelOptions): Channel {
  const { catalogue, responses, key, allowed, pointer } = options;
  const passing = responses.high === 'alert' && responses.medium === 'alert';
  const { next, accept } = catalogue.automaton;
  const engine = new Engine(catalogue);
  const { view } = engine;
  const beginnings = createBeginnings(catalogue);
  view.bytes = new Uint8Array(1024);
  /** Where each decoded byte begins in the text as it came, counted from the first character of the channel. */
  let origins = new Float64Array(1024);
  let state = 0;
  /** Text not let go yet, and where it begins. */
  let waiting = '';
  let waitingFrom = 0;
  /** Text not decoded yet (an escape that is not complete), and where it begins. */
  let raw = '';
  let rawFrom = 0;
  let swallowing: Swallowing | null = null;
  let blocked = false;

  function decode(final: boolean): void {
    const source = new Uint8Array(raw.length);
    for (let index = 0; index < raw.length; index++) {
      const code = raw.charCodeAt(index);
      source[index] = code < 0x80 ? code : FOREIGN;
    }
    makeRoom(source.length);
    const bytes = view.bytes;
    let at = 0;
    while (at < source.length) {
      const from = at;
      let byte = source[at++] as number;
      if (byte === BACKSLASH) {
        const escape = readEscape(source, from, source.length, final);
        if (escape === UNFINISHED) {
          at = from;
          break;
        }
        at = from + (escape >> 8);
        byte = escape & 0xff;
      }
      origins[view.end] = rawFrom + from;
      bytes[view.end++] = byte;
      state = byte === BACKSLASH ? 0 : (next[state + (CLASS_OF[byte] as number)] as number);
      if (state >= accept) engine.hit(view.end, state);
    }
    raw = raw.slice(at);
    rawFrom += at;
    origins[view.end] = rawFrom;
  }

  function makeRoom(more: number): void {
    if (view.end + more + 1 < view.bytes.length) return;
    const bytes = new Uint8Array((view.end + more) * 2 + 1);
    bytes.set(view.bytes.subarray(0, view.end));
    view.bytes = bytes;
    const wider = new Float64Array(bytes.length);
    wider.set(origins.subarray(0, view.end + 1));
    origins = wider;
  }

  /** Takes the text up to a position (of the channel) out of what waits. */
  function take(to: number): string {
    const count = Math.max(0, to - waitingFrom);
    const text = waiting.slice(0, count);
    waiting = waiting.slice(count);
    waitingFrom += count;
    return text;
  }

  function close(seen: Swallowing, end: number): Finding {
    const { rule } = seen.match;
    return {
      rule: rule.id,
      kind: rule.kind,
      confidence: rule.confidence,
      pointer,
      start: seen.start,
      end,
      length: seen.length,
      digest: seen.hash.digest('hex'),
    };
  }

  function swallow(seen: Swallowing, to: number): void {
    seen.hash.update(view.bytes.subarray(seen.hashed, to));
    seen.length += to - seen.hashed;
    seen.hashed = to;
  }

  function step(final: boolean): ChannelStep {
    if (blocked) return { text: '', findings: [], blocked: true };
    decode(final);
    view.final = final;
    const decided = engine.idle ? view.end : engine.settle();
    const findings: Finding[] = [];
    let text = '';
    while (engine.matches.length > 0) {
      const match = engine.matches[0] as Match;
      const response = responses[match.rule.confidence];
      if (swallowing === null) {
        if (match.closed && match.to === match.committed && isAllowed(match)) {
          engine.matches.shift();
          continue;
        }
        swallowing = {
          match,
          hash: createHmac('sha256', key),
          start: origins[match.anchor] as number,
          hashed: match.from,
          length: 0,
        };
        if (response !== 'alert') text += take(swallowing.start);
        if (response === 'block') {
          swallow(swallowing, match.committed);
          findings.push(close(swallowing, origins[match.committed] as number));
          blocked = true;
          return { text, findings, blocked };
        }
        if (response === 'mask') text += maskOf(match.rule.kind);
      }
      swallow(swallowing, match.to);
      if (response === 'mask') take(origins[match.to] as number);
      if (!match.closed && !final) break;
      findings.push(close(swallowing, origins[match.to] as number));
      swallowing = null;
      engine.matches.shift();
    }
    text += take(releaseEnd(decided, final));
    forget();
    return { text, findings, blocked: false };
  }

  function isAllowed(match: Match): boolean {
    const digest = createHash('sha256').update(view.bytes.subarray(match.from, match.to)).digest('hex');
    return allowed.has(digest) || WELL_KNOWN.has(digest);
  }

  /** Up to where text may leave, as a position of the channel. */
  function releaseEnd(decided: number, final: boolean): number {
    const everything = waitingFrom + waiting.length;
    if (final || passing) return everything;
    const hold = Math.min(decided, beginnings.startsAt(view, state));
    const end = Math.max(origins[Math.min(hold, view.end)] as number, everything - CAP);
    const last = waiting.charCodeAt(end - waitingFrom - 1);
    return end > waitingFrom && last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
  }

  /** Drops decoded text that nobody will look back to. */
  function forget(): void {
    if (view.end < 4 * KEPT) return;
    const needed = Math.min(engine.needed(), swallowing?.hashed ?? view.end);
    const droppable = Math.min(needed, view.end) - KEPT;
    if (droppable < KEPT) return;
    origins.copyWithin(0, droppable, view.end + 1);
    engine.drop(droppable);
    if (swallowing !== null) swallowing.hashed -= droppable;
  }

  return {
    get held() {
      return waiting.length;
    },
    push(text) {
      waiting += text;
      raw += text;
      return step(false);
    },
    end: () => step(true),
  };
}
