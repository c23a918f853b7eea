import { JsonTokenizer } from '@gateway/json';
import { Ranges } from './ranges.ts';

type Member = 'model' | 'stream' | 'other';

/** The top-level members of a body, from its tokens; offsets count the tokenizer's input. */
export class ModelReader {
  readonly tokenizer: JsonTokenizer;
  /** The values of members named `model`, in any ASCII case, in every top-level object that ends. */
  readonly models = new Ranges();
  /** The first value is an object, and ended. */
  isObject = false;
  /** The first value has a member named exactly `model`. */
  hasExactName = false;
  /** Whether the last `stream` member of the first value is `true`: the last one counts, as for JSON.parse. */
  stream = false;
  isEmpty = true;
  /** Of the first value. */
  closeAt = 0;
  /** The top-level value that is being read is an object. */
  #inObject = false;
  #member: Member = 'other';
  #valueFrom = 0;

  /** @param narrowed the bytes are the output of a `Narrower`. */
  constructor(narrowed: boolean) {
    this.tokenizer = new JsonTokenizer(
      {
        open: (isObject, at, depth) => this.#open(isObject, at, depth),
        close: (_isObject, at, depth) => this.#close(at, depth),
        name: (from, to, depth) => {
          if (depth === 1) this.#name(to - from);
        },
        string: (from, to, depth) => this.#scalar(false, from, to, depth),
        literal: (kind, from, to, depth) => this.#scalar(kind === 'true', from, to, depth),
        broken: () => this.models.rollBack(),
      },
      { narrowed },
    );
  }

  get #isFirst(): boolean {
    return this.tokenizer.values === 0;
  }

  #open(isObject: boolean, at: number, depth: number): void {
    this.#valueFrom = depth === 1 ? at : this.#valueFrom;
    if (depth > 0) return;
    this.#inObject = isObject;
    if (!isObject && this.#isFirst) this.tokenizer.stop();
  }

  #close(at: number, depth: number): void {
    if (depth === 1) this.#valueEnds(false, this.#valueFrom, at + 1);
    if (depth > 0) return;
    if (this.#isFirst) {
      this.isObject = true;
      this.closeAt = at;
    }
    this.models.keep();
  }

  #scalar(isTrue: boolean, from: number, to: number, depth: number): void {
    if (depth === 1) this.#valueEnds(isTrue, from, to);
    else if (depth === 0 && this.#isFirst) this.tokenizer.stop();
  }

  #valueEnds(isTrue: boolean, from: number, to: number): void {
    if (!this.#inObject) return;
    if (this.#isFirst) {
      this.isEmpty = false;
      if (this.#member === 'stream') this.stream = isTrue;
    }
    if (this.#member === 'model') this.models.add(from, to);
  }

  /** @param length of the name as written, with its quotes: for most names, the length is enough. */
  #name(length: number): void {
    this.#member = 'other';
    if (length !== '"model"'.length && length !== '"stream"'.length && !this.tokenizer.isNameEscaped) return;
    const { name } = this.tokenizer;
    if (name.length === 'model'.length && name.toLowerCase() === 'model') {
      this.#member = 'model';
      if (this.#isFirst && name === 'model') this.hasExactName = true;
    } else if (name === 'stream') this.#member = 'stream';
  }
}
