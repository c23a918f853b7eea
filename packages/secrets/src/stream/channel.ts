import { createHash, createHmac, type Hmac } from 'node:crypto';
import type { Catalogue } from '../scan/catalogue.ts';
import { Engine, type Match } from '../scan/engine.ts';
import type { Beginning } from '../scan/keyword.ts';
import { type Finding, maskOf, type Responses } from '../scan/response.ts';
import { charset, HEX } from '../text/charset.ts';
import { CrossEntropy } from '../verify/cross-entropy.ts';
import type { View } from '../verify/view.ts';
import { type Encoding, Reader, WELL_KNOWN } from './reader.ts';

/** The first letters of keywords that are themselves part of a secret, in one way of writing them. */
interface Spelling {
  readonly letters: string;
  readonly starts: ReadonlySet<Beginning['startOf']>;
}

/** The spellings of one length that a state of the automaton may represent. */
interface Part {
  readonly length: number;
  readonly spellings: readonly Spelling[];
}

interface Beginnings {
  /**
   * Where a secret may have begun whose keyword is not complete at `end`; `end` for none.
   * @param state of the automaton at `end`.
   */
  startsAt(view: View, state: number, end: number): number;
}

/**
 * So many small letters are a word in most texts (`packa…`, `githu…`), and the same for every secret of the form: they
 * may leave.
 */
const WORD = /^[a-z]{5,}$/;

const CACHE = new WeakMap<Catalogue, Beginnings>();

/** Reads from the automaton's state which keywords the end of the text may be the beginning of. One serves all texts. */
function beginningsOf(catalogue: Catalogue): Beginnings {
  const beginnings = CACHE.get(catalogue) ?? createBeginnings(catalogue);
  CACHE.set(catalogue, beginnings);
  return beginnings;
}

function createBeginnings(catalogue: Catalogue): Beginnings {
  const known = new Map<number, readonly Part[]>();

  function ofState(state: number): readonly Part[] {
    const cached = known.get(state);
    if (cached !== undefined) return cached;
    const parts: Part[] = [];
    const { automaton, keywords } = catalogue;
    for (let node = state; node !== 0; node = automaton.failOf(node)) {
      const { length, keywords: through } = automaton.prefixOf(node);
      const of = through
        .flatMap((index) => keywords[index]?.beginnings ?? [])
        .filter(({ text }) => !WORD.test(text.slice(0, length)));
      const bySpelling = Map.groupBy(of, ({ text }) => text.slice(0, length));
      // Keywords with the same beginning mostly check the same bytes before them: they are checked once.
      const spellings = [...bySpelling].map(([letters, all]) => ({
        letters,
        starts: new Set(all.map(({ startOf }) => startOf)),
      }));
      if (of.length > 0) parts.push({ length, spellings });
    }
    known.set(state, parts);
    return parts;
  }

  return {
    startsAt(view, state, end) {
      let earliest = end;
      for (const { length, spellings } of ofState(state)) {
        const from = end - length;
        if (from < 0) continue;
        for (const { letters, starts } of spellings) {
          if (!view.spells(letters, from)) continue;
          for (const startOf of starts) {
            const start = startOf(view, from);
            if (start >= 0 && start < earliest) earliest = start;
          }
        }
      }
      return earliest;
    },
  };
}

/** Decoded bytes kept after their release, for the checks that look back. */
const KEPT = 160;
/** Decoded bytes from which on it is looked whether some can be dropped. */
const LONG = 2048;
/**
 * Most decoded characters that may wait; a text that would need more is let go up to there. An escape that is not
 * complete adds up to 22, half a character of two units one: 256 in all.
 */
const CAP = 232;

export interface ChannelOptions {
  readonly catalogue: Catalogue;
  /** `mask` and `block` delay possible secrets; where both are `alert`, everything leaves immediately. */
  readonly responses: Responses;
  readonly key: Uint8Array;
  readonly allowed: ReadonlySet<string>;
  /** The position in the findings: the channel's pointer. */
  readonly pointer: string | null;
  readonly encoding: Encoding;
}

/** What may leave after a piece of text came in. */
export interface ChannelStep {
  readonly text: string;
  readonly findings: readonly Finding[];
  /** Block mode: a secret begins where `text` ends; nothing may follow. */
  readonly blocked: boolean;
}

/**
 * A scanner of one logical text that arrives in pieces. Every division gives the same output and findings: the decisions and the
 * releasable length are settled after each character, so that neither depends on the end of a piece.
 */
export interface Channel {
  /** Characters that came in and did not leave. */
  readonly held: number;
  push(text: string): ChannelStep;
  /**
   * Reads a piece of plain ASCII that leaves whole immediately, with no finding: most pieces are such. False, without any effect,
   * for any other: push it instead.
   */
  passes(bytes: Uint8Array, from: number, to: number): boolean;
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

const NOTHING: readonly Finding[] = [];

export function createChannel(options: ChannelOptions): Channel {
  const { catalogue, responses, key, allowed, pointer, encoding } = options;
  const passing = responses.high === 'alert' && responses.medium === 'alert';
  const engine = new Engine(catalogue, false);
  const { view } = engine;
  const reader = new Reader(catalogue, engine, encoding);
  const beginnings = beginningsOf(catalogue);
  const pendingToken = new PendingToken();
  /** Text that has not left yet, and its start, counted from the first character of the channel. */
  let waiting = '';
  let waitingFrom = 0;
  /** Up to where text may leave. */
  let released = 0;
  let swallowing: Swallowing | null = null;
  let blocked = false;
  /** What leaves after this piece, and what was found in it. */
  let leaving = '';
  let findings: Finding[] = [];

  /** Takes the text up to a position (of the channel) out of what waits. */
  function take(to: number): string {
    const count = Math.max(0, to - waitingFrom);
    const text = waiting.slice(0, count);
    waiting = waiting.slice(count);
    waitingFrom += count;
    return text;
  }

  function close(seen: Swallowing, end: number): void {
    const { rule } = seen.match;
    findings.push({
      rule: rule.id,
      kind: rule.kind,
      confidence: rule.confidence,
      pointer,
      start: seen.start,
      end,
      length: seen.length,
      digest: seen.hash.digest('hex'),
      occurrences: 1,
    });
  }

  function swallow(seen: Swallowing, to: number): void {
    seen.hash.update(view.bytes.subarray(seen.hashed, to));
    seen.length += to - seen.hashed;
    seen.hashed = to;
  }

  /** Follows the matches so far, up to their known end. */
  function follow(final: boolean): void {
    while (engine.matches.length > 0 && !blocked) {
      const match = engine.matches[0] as Match;
      const response = responses[match.rule.confidence];
      if (swallowing === null) {
        if (match.closed && match.to === match.committed && isAllowed(match)) {
          engine.matches.shift();
          continue;
        }
        const start = reader.origin(match.from);
        swallowing = { match, hash: createHmac('sha256', key), start, hashed: match.from, length: 0 };
        if (response !== 'alert') leaving += take(Math.max(start, released));
        if (response === 'mask') leaving += maskOf(match.rule.kind);
      }
      blocked = response === 'block';
      swallow(swallowing, blocked ? match.committed : match.to);
      const end = reader.origin(swallowing.hashed);
      if (response === 'mask') {
        leaving += take(released); // text at the bound of the delay, for any division
        take(end);
      }
      if (!match.closed && !final && !blocked) break;
      close(swallowing, end);
      swallowing = null;
      engine.matches.shift();
    }
  }

  function isAllowed(match: Match): boolean {
    const digest = createHash('sha256').update(view.bytes.subarray(match.from, match.to)).digest('hex');
    return allowed.has(digest) || WELL_KNOWN.has(digest);
  }

  /** Decides the text up to the last byte, and how much of it may leave. False when nothing may follow. */
  function settle(final: boolean): boolean {
    view.final = final;
    const decided = engine.idle ? view.end : engine.settle();
    if (engine.matches.length > 0) follow(final);
    if (blocked) return false;
    const hold = final || passing ? view.end : Math.min(decided, clearUpTo(view.end, reader.state));
    released = Math.max(released, reader.origin(hold), reader.position - CAP);
    return true;
  }

  /** The start of a possible secret in the text up to `end`; `end` for none. */
  function clearUpTo(end: number, state: number): number {
    if (passing) return end;
    return Math.min(end - pendingToken.lengthAt(view, end), beginnings.startsAt(view, state, end));
  }

  /** Reads on while nothing is pending, and releases what the single characters would have released. */
  function skim(): void {
    const from = view.end;
    reader.skim();
    for (let end = view.end; end > from && reader.origin(end) > released; end--)
      released = Math.max(released, reader.origin(clearUpTo(end, reader.stateAt(end))));
    released = Math.max(released, reader.position - CAP);
  }

  function step(final: boolean): ChannelStep {
    let goesOn = true;
    while (goesOn) {
      if (engine.idle && swallowing === null) skim();
      if (!reader.read(final)) break;
      goesOn = settle(false);
      forget();
    }
    if (goesOn && final) goesOn = settle(true);
    if (!goesOn) waiting = '';
    else {
      // Where nothing is masked or blocked, half an escape leaves too.
      leaving += take(passing ? waitingFrom + waiting.length : released);
      forget();
    }
    const result = { text: leaving, findings: findings.length > 0 ? findings : NOTHING, blocked };
    leaving = '';
    if (findings.length > 0) findings = [];
    return result;
  }

  /** Drops decoded text that no check looks back to. */
  function forget(): void {
    if (view.end < LONG) return;
    const needed = Math.min(engine.needed(), swallowing?.hashed ?? view.end);
    const droppable = Math.min(needed, view.end) - KEPT;
    if (droppable < KEPT) return;
    reader.drop(droppable);
    pendingToken.drop(droppable);
    if (swallowing !== null) swallowing.hashed -= droppable;
  }

  return {
    get held() {
      return waiting.length;
    },
    passes(bytes, from, to) {
      if (blocked || waiting !== '' || swallowing !== null || !engine.idle) return false;
      const state = reader.preview(bytes, from, to);
      if (state < 0) return false;
      const { end } = view;
      view.end = end + to - from;
      const clear = clearUpTo(view.end, state) === view.end;
      view.end = end;
      if (!clear) return false;
      reader.accept(to - from, state);
      released = reader.position;
      waitingFrom = released;
      forget();
      return true;
    },
    push(text) {
      if (blocked) return { text: '', findings: NOTHING, blocked };
      waiting += text;
      reader.add(text);
      return step(false);
    },
    end: () => (blocked ? { text: '', findings: NOTHING, blocked } : step(true)),
  };
}

/** Bytes before the distinctive middle of a token (`….atlasv1.…`, Azure's `…+ASt…`, `…-us12`). */
const RUN = charset('A-Za-z0-9+/_');
/** Most bytes that any form has there. */
const LONGEST = 76;
/** A run of so many bytes, and of so many bits a character, reads as generated. */
const LEAST = 4;
const BITS = 5.8;
/** A run that turns out to read like words need not wait any longer. */
const STILL_BITS = 5.2;
/**
 * Hexadecimal digits surprise less. No form has more of them alone, except a password behind the user's name and a colon; six or
 * eight after a number sign are a colour.
 */
const HEX_LEAST = 6;
const HEX_LONGEST = 36;
const COLOUR = 8;
const NUMBER_SIGN = 0x23;
const SOLIDUS = 0x2f;
const COLON = 0x3a;
/** Marks of a following hash or encoded data (subresource integrity, digests of images, data addresses). */
const ANNOUNCEMENTS = ['sha1', 'sha256', 'sha384', 'sha512', 'base64'] as const;
const ANNOUNCED = charset(',:-');

/**
 * Checks the run of letters and digits at the end of a text. A token identified by its middle has no beginning to look for; a run
 * that reads as generated may be one, and waits until it has ended or exceeds the maximum. Its first bytes have left by then.
 */
export class PendingToken {
  readonly #weight = new CrossEntropy();
  /** The last weighed run, up to its end then. */
  #from = 0;
  #to = 0;
  #digits = 0;
  #letters = 0;
  #hexadecimal = true;
  #generated = false;
  #announced = false;
  #colour = false;
  #longestHex = HEX_LONGEST;

  /** How many bytes before `end` have to wait. */
  lengthAt(view: View, end: number): number {
    return this.#runLength(view, end) || keyInPath(view, end);
  }

  #runLength(view: View, end: number): number {
    const from = view.runStart(RUN, end, LONGEST + 1);
    // Without a digit nothing reads as generated: most runs are words, and never weighed.
    if (end - from > LONGEST || !hasDigit(view.bytes, from, end)) return 0;
    if (from !== this.#from || end < this.#to) this.#begin(view, from);
    if (this.#announced) return 0;
    while (this.#to < end) this.#add(view.bytes[this.#to++] as number);
    return this.#generated ? end - from : 0;
  }

  /** Forgets the first bytes, as the view does. */
  drop(bytes: number): void {
    this.#from -= bytes;
    this.#to -= bytes;
  }

  #begin(view: View, from: number): void {
    this.#announced = isAnnounced(view, from);
    this.#colour = view.at(from - 1) === NUMBER_SIGN;
    this.#longestHex = view.at(from - 1) === COLON ? LONGEST : HEX_LONGEST;
    this.#weight.clear();
    this.#from = from;
    this.#to = from;
    this.#digits = 0;
    this.#letters = 0;
    this.#hexadecimal = true;
    this.#generated = false;
  }

  #isHexKey(): boolean {
    const { length } = this.#weight;
    return this.#digits > 1 && length <= this.#longestHex && !(this.#colour && length <= COLOUR);
  }

  #add(byte: number): void {
    this.#weight.add(byte);
    if (byte >= 0x30 && byte <= 0x39) this.#digits++;
    else if (byte > 0x40) this.#letters++;
    this.#hexadecimal &&= HEX[byte] === 1;
    if (this.#weight.length < LEAST || this.#letters < 2) return;
    const bits = this.#generated ? STILL_BITS : BITS;
    this.#generated =
      this.#hexadecimal && this.#weight.length >= HEX_LEAST
        ? this.#isHexKey()
        : this.#digits > 0 && this.#weight.mean >= bits;
  }
}

/** The word before the mark before the run identifies the run. */
function isAnnounced(view: View, from: number): boolean {
  if (ANNOUNCED[view.at(from - 1)] === 0) return false;
  return ANNOUNCEMENTS.some((word) => {
    const at = from - 1 - word.length;
    return view.spells(word, at) && RUN[view.at(at - 1)] === 0;
  });
}

/** Length of the hexadecimal key that a path ends in: its solidus is a byte of base64, too, and begins no run. */
function keyInPath(view: View, end: number): number {
  const from = view.runStart(HEX, end, HEX_LONGEST + 1);
  const length = end - from;
  if (view.at(from - 1) !== SOLIDUS || length < HEX_LEAST || length > HEX_LONGEST) return 0;
  const digits = view.bytes.subarray(from, end).filter((byte) => byte <= 0x39).length;
  return digits > 1 && length - digits > 1 ? length : 0;
}

function hasDigit(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if ((bytes[at] as number) >= 0x30 && (bytes[at] as number) <= 0x39) return true;
  return false;
}
