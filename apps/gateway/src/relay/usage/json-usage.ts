import { MemberValues } from '@gateway/json';
import { isFields } from './api.ts';
import { completes, MARKS, MARKS_BESIDE, READ_MEMBERS, readGeneratedText } from './apis.ts';
import { BACKGROUND_PATHS, type BackgroundReading, mayStartWork } from './background.ts';
import type { UsageReading } from './counts.ts';
import { FAILURE_MARKS, FAILURE_MEMBERS, mayShowFailure, nextMark } from './failure.ts';

/** Longest value that is read; a real `usage` takes a few hundred bytes. */
const LONGEST = 16 * 1024;
/** Elements of a list that are read together: counts of choices and predictions are added. Services allow fewer. */
const MOST_ELEMENTS = 256;

/** At the top of an answer, and of each element where it is an array. */
const USAGE_PATHS = [...new Set([...READ_MEMBERS, ...FAILURE_MEMBERS])]
  .map((path) => path.split('.'))
  .flatMap((path) => [path, ['*', ...path]]);
const isOf = (paths: readonly (readonly string[])[]) => {
  const names = new Map(paths.map((path) => [path.join('.'), path]));
  return (path: readonly string[]) => names.get(path.join('.'));
};
const backgroundPath = isOf(BACKGROUND_PATHS);
const usagePath = isOf(USAGE_PATHS);
const PATHS = [...USAGE_PATHS, ...BACKGROUND_PATHS.filter((path) => usagePath(path) === undefined)];

/**
 * Reads the counts from JSON in transit, of any length, in bounded memory: an answer, several lines of it, or an event too long
 * to buffer.
 */
export class JsonUsage {
  readonly #values: MemberValues;
  readonly #usage: UsageReading;
  /** Whether it marks the answer as complete, which it is once the rest has arrived. */
  #isLast = false;
  /** Values below the array that is read now; they are counted once, when something else follows. */
  #elements: { readonly list: number; readonly path: readonly string[]; readonly values: unknown[] } | null = null;

  constructor(usage: UsageReading, background: BackgroundReading) {
    this.#usage = usage;
    this.#values = new MemberValues(PATHS, LONGEST, (path, json, list) => {
      const value = parse(json);
      if (value === undefined) return;
      const shown = backgroundPath(path);
      if (shown !== undefined) background.member(shown, value);
      if (usagePath(path) === undefined) return;
      if (path.lastIndexOf('*') > 0) this.#keep(list, path, value);
      else {
        this.#countElements();
        this.#count(path, [value]);
      }
    });
  }

  #keep(list: number, path: readonly string[], value: unknown): void {
    if (this.#elements?.list !== list || this.#elements.path !== path) {
      this.#countElements();
      this.#elements = { list, path, values: [] };
    }
    if (this.#elements.values.length < MOST_ELEMENTS) this.#elements.values.push(value);
  }

  #countElements(): void {
    if (this.#elements === null) return;
    const { path, values } = this.#elements;
    this.#elements = null;
    this.#count(path, values);
  }

  #count(path: readonly string[], values: readonly unknown[]): void {
    const payload = payloadOf(path, values);
    this.#usage.count(payload);
    this.#isLast ||= completes(payload);
  }

  push(chunk: Buffer): void {
    this.#values.push(chunk);
  }

  /** @param isWhole whether all of it has arrived. */
  end(isWhole: boolean): void {
    this.#values.end();
    this.#countElements();
    if (isWhole && this.#isLast) this.#usage.end();
  }
}

/** The payload that contains only these values: one at a path without `*`, otherwise one of each element of its last. */
function payloadOf(path: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const names = path[0] === '*' ? path.slice(1) : path;
  const at = names.lastIndexOf('*');
  const wrap = (around: readonly string[], value: unknown): unknown =>
    around.toReversed().reduce((held: unknown, name) => (name === '*' ? [held] : { [name]: held }), value);
  if (at < 0) return wrap(names, values[0]) as Record<string, unknown>;
  const elements = values.map((value) => wrap(names.slice(at + 1), value));
  return wrap(names.slice(0, at), elements) as Record<string, unknown>;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined; // not JSON after all: nothing was reported
  }
}

const QUOTE = 0x22;
const BRACE = 0x7b;
const LF = 0x0a;
const CR = 0x0d;

/** Bytes after a mark, and of a last line, that are parsed whole: nearly every answer has its counts near the end. */
const NEAR_END = 16 * 1024;
/** Bytes before a mark in which another one may appear. */
const BESIDE = 1024;

/** Bytes that are read without a pause. */
const STEP = 4 * 1024;

/**
 * Reads the report of a JSON answer, or of lines of JSON, where the last line is read. Any other answer is parsed from the last
 * mark on: JSON from an opening brace to the end is at the top level. If that finds nothing, or the answer may contain an error or
 * be about work in the background, its members are read one by one, with pauses.
 */
export function* readPlain(
  answer: Buffer,
  usage: UsageReading,
  background: BackgroundReading,
): Generator<undefined, void> {
  const mayFail = mayShowFailure(answer) && FAILURE_MARKS.some((mark) => nextMark(answer, mark) >= 0);
  if (mayFail || mayStartWork(answer)) {
    yield* readMembers(answer, usage, background);
    return;
  }
  const line = lastLine(answer);
  if (line !== null && read(line, usage) && usage.reported.input !== null) return;
  const at = lastMark(answer);
  if (at < 0) return;
  const before = answer.subarray(Math.max(0, at - BESIDE), at);
  const isAlone = MARKS_BESIDE.every((mark) => before.indexOf(mark) < 0);
  const isNear = isAlone && answer.length - at <= NEAR_END;
  if (isNear && read(`{${answer.toString('utf8', at)}`, usage) && usage.reported.input !== null) return;
  yield* readMembers(answer, usage, background);
}

/** One by one, in any part of the answer, with pauses. */
export function* readMembers(
  answer: Buffer,
  usage: UsageReading,
  background: BackgroundReading,
): Generator<undefined, void> {
  const members = new JsonUsage(usage, background);
  for (let at = 0; at < answer.length; at += STEP) {
    if (at > 0) yield;
    members.push(answer.subarray(at, at + STEP));
  }
  members.end(true);
}

/** Offset of the quote before the last name that begins with the first existing mark; -1 for none. */
function lastMark(answer: Buffer): number {
  for (const { bytes } of MARKS) {
    for (let at = answer.lastIndexOf(bytes); at > 0; at = answer.lastIndexOf(bytes, at - 1))
      if (answer[at - 1] === QUOTE) return at - 1;
  }
  return -1;
}

/** @returns whether it was an object. */
function read(json: string, usage: UsageReading): boolean {
  const payload = parseJson(json) ?? parseJson(json.replace(/\]\s*$/, '')); // the last element of an array
  if (!isFields(payload)) return false;
  usage.read(payload);
  return true;
}

/** The last of several lines, where it begins an object and is not long; else null. */
function lastLine(answer: Buffer): string | null {
  let end = answer.length;
  while (end > 0 && isBreak(answer[end - 1])) end -= 1;
  const start = end === 0 ? 0 : answer.lastIndexOf(LF, end - 1) + 1;
  if (start === 0 || answer[start] !== BRACE || end - start > NEAR_END) return null;
  return answer.toString('utf8', start, end);
}

const isBreak = (byte: number | undefined): boolean => byte === LF || byte === CR;

/** The generated text in the buffered part of a plain answer. */
interface PlainText {
  readonly text: string;
  /** Whether the rest, which was not buffered, is more of it. */
  readonly goesOn: boolean;
}

/** Texts in JSON that is cut off; the last one may lack its end. Pictures and numbers appear beside them. */
const TEXTS =
  /"(?:content|text|arguments|reasoning|reasoning_content|thinking|response|generated_text)"\s*:\s*"((?:[^"\\]|\\.)*)("?)/gs;
const JSON_BEGINS = /^\ufeff?\s*[{[]/;

/** @param kept the answer, or its beginning. */
export function plainTextOf(kept: Buffer): PlainText {
  if (kept.includes(0)) return { text: '', goesOn: false }; // sound or a picture: text contains no zeros
  const text = kept.toString();
  const answer = parseJson(text);
  if (answer !== undefined) return { text: readGeneratedText(answer), goesOn: false };
  const lines = text.split('\n');
  if (parseJson(lines[0] ?? '') !== undefined)
    return { text: lines.map((line) => readGeneratedText(parseJson(line))).join(''), goesOn: true };
  return JSON_BEGINS.test(text) ? cutOff(text) : { text, goesOn: true };
}

function cutOff(json: string): PlainText {
  const texts = [...json.matchAll(TEXTS)];
  return { text: texts.map(([, text]) => text).join(' '), goesOn: texts.at(-1)?.[2] === '' };
}

/** A byte order mark. */
const MARK = 0xfeff;

/** Undefined where the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.charCodeAt(0) === MARK ? text.slice(1) : text) as unknown;
  } catch {
    return undefined;
  }
}
