import { withoutTokenLists } from '../json/token-lists.ts';
import type { Finding } from '../scan/finding.ts';
import { type Change, replace } from './event.ts';
import { Output } from './output.ts';
import { Verbatim } from './verbatim.ts';

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
  letGo(bytes: Uint8Array, changes: readonly Change[] = [], masks: readonly Change[] = []): void {
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
