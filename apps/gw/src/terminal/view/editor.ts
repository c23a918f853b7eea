import type { ContentPart } from '../../agent/types/index.ts';
import { graphemesOf } from '../text/line.ts';

/** Where lines and words begin and end in a text, in code units. */

function lineStart(text: string, from: number): number {
  return from === 0 ? 0 : text.lastIndexOf('\n', from - 1) + 1;
}
function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/** The beginning of the word before a position: blanks are passed first. */
function wordStart(text: string, from: number): number {
  let at = from;
  while (at > 0 && isBlank(text, at - 1)) at -= 1;
  while (at > 0 && !isBlank(text, at - 1)) at -= 1;
  return at;
}
/** The end of the word behind a position. */
function wordEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text, at)) at += 1;
  while (at < text.length && !isBlank(text, at)) at += 1;
  return at;
}

function isBlank(text: string, at: number): boolean {
  return /\s/.test(text.charAt(at));
}

/** A text of one or more lines, and where the cursor is in it. */
export interface Editor {
  readonly text: string;
  /** Code units from the beginning, never within a grapheme. */
  readonly cursor: number;
  /** What Ctrl-U, Ctrl-K and Ctrl-W took away last; Ctrl-Y brings it back. */
  readonly killed: string;
  /** Earlier states, the latest last. */
  readonly past: readonly { readonly text: string; readonly cursor: number }[];
}
export type Edit =
  | 'left'
  | 'right'
  | 'word-left'
  | 'word-right'
  | 'line-start'
  | 'line-end'
  | 'up'
  | 'down'
  | 'backspace'
  | 'delete'
  | 'delete-word'
  | 'kill-to-start'
  | 'kill-to-end'
  | 'kill-word'
  | 'yank'
  | 'undo';

const PAST = 100;
export const EMPTY_EDITOR: Editor = { text: '', cursor: 0, killed: '', past: [] };

export function editorOf(text: string, { killed }: Pick<Editor, 'killed'> = EMPTY_EDITOR): Editor {
  return { ...EMPTY_EDITOR, text, cursor: text.length, killed };
}

/** Puts a text where the cursor is. Letters of a word are one step of undo. */
export function insert(editor: Editor, text: string): Editor {
  const { text: all, cursor } = editor;
  const next = all.slice(0, cursor) + text + all.slice(cursor);
  return change(editor, next, cursor + text.length, text.length > 1 || /\s/.test(text));
}

/** Replaces the text between two positions, and puts the cursor after it. */
export function replaceRange(editor: Editor, from: number, to: number, text: string): Editor {
  return change(editor, editor.text.slice(0, from) + text + editor.text.slice(to), from + text.length, true);
}

export function edit(editor: Editor, what: Edit): Editor {
  const { text, cursor, killed, past } = editor;
  switch (what) {
    case 'left':
      return { ...editor, cursor: before(text, cursor) };
    case 'right':
      return { ...editor, cursor: after(text, cursor) };
    case 'word-left':
      return { ...editor, cursor: wordStart(text, cursor) };
    case 'word-right':
      return { ...editor, cursor: wordEnd(text, cursor) };
    case 'line-start':
      return { ...editor, cursor: lineStart(text, cursor) };
    case 'line-end':
      return { ...editor, cursor: lineEnd(text, cursor) };
    case 'up':
      return { ...editor, cursor: vertically(text, cursor, -1) };
    case 'down':
      return { ...editor, cursor: vertically(text, cursor, 1) };
    case 'backspace':
      return without(editor, before(text, cursor), cursor);
    case 'delete':
      return without(editor, cursor, after(text, cursor));
    case 'delete-word':
      return kill(editor, cursor, wordEnd(text, cursor));
    case 'kill-to-start': {
      // At the beginning of a line, the line end before it goes.
      const start = lineStart(text, cursor);
      return kill(editor, start === cursor ? before(text, cursor) : start, cursor);
    }
    case 'kill-to-end': {
      const end = lineEnd(text, cursor);
      return kill(editor, cursor, end === cursor ? after(text, cursor) : end);
    }
    case 'kill-word':
      return kill(editor, wordStart(text, cursor), cursor);
    case 'yank':
      return killed === '' ? editor : insert(editor, killed);
    default: {
      // undo
      const last = past.at(-1);
      return last === undefined ? editor : { ...editor, ...last, past: past.slice(0, -1) };
    }
  }
}

/** Whether the cursor is in the first line, or in the last: there the arrows go through the history. */
export function inFirstLine({ text, cursor }: Editor): boolean {
  return lineStart(text, cursor) === 0;
}
export function inLastLine({ text, cursor }: Editor): boolean {
  return lineEnd(text, cursor) === text.length;
}

function before(text: string, cursor: number): number {
  const last = graphemesOf(text.slice(lineStart(text, cursor), cursor)).at(-1);
  return cursor - (last?.length ?? Math.min(1, cursor));
}
function after(text: string, cursor: number): number {
  const [first] = graphemesOf(text.slice(cursor, lineEnd(text, cursor)));
  return cursor + (first?.length ?? Math.min(1, text.length - cursor));
}

/** The same column, counted in graphemes, of the line above or below; the same position if there is none. */
function vertically(text: string, cursor: number, direction: -1 | 1): number {
  const start = lineStart(text, cursor);
  const column = graphemesOf(text.slice(start, cursor)).length;
  const target = direction === -1 ? start - 1 : lineEnd(text, cursor) + 1;
  if (target < 0 || target > text.length) return cursor;
  const from = lineStart(text, target);
  const letters = graphemesOf(text.slice(from, lineEnd(text, target)));
  return from + letters.slice(0, column).join('').length;
}

function without(editor: Editor, from: number, to: number): Editor {
  if (from === to) return editor;
  return change(editor, editor.text.slice(0, from) + editor.text.slice(to), from, false);
}
function kill(editor: Editor, from: number, to: number): Editor {
  if (from === to) return editor;
  const killed = editor.text.slice(from, to);
  return { ...change(editor, editor.text.slice(0, from) + editor.text.slice(to), from, true), killed };
}

/** `step`: the change is a step of undo of its own; others join the step before them. */
function change(editor: Editor, text: string, cursor: number, step: boolean): Editor {
  const { past } = editor;
  const joins = !step && past.length > 0 && past.at(-1)?.text !== editor.text;
  const kept = joins ? past : [...past, { text: editor.text, cursor: editor.cursor }].slice(-PAST);
  return { ...editor, text, cursor, past: kept };
}

/** Long pasted texts and images are shown in the text as `[Pasted text #1, 40 lines]` and `[Image #2]`. */
export interface Attachments {
  readonly byLabel: ReadonlyMap<string, string | ContentPart>;
  readonly count: number;
}
export const NO_ATTACHMENTS: Attachments = { byLabel: new Map(), count: 0 };

const LONG_LINES = 8;
const LONG_CHARACTERS = 1500;

export function isLong(text: string): boolean {
  return text.length > LONG_CHARACTERS || text.split('\n').length > LONG_LINES;
}

export function attach({ byLabel, count }: Attachments, content: string | ContentPart): [Attachments, string] {
  const number = count + 1;
  const label =
    typeof content === 'string'
      ? `[Pasted text #${number}, ${content.split('\n').length} lines]`
      : `[Image #${number}]`;
  return [{ byLabel: new Map([...byLabel, [label, content]]), count: number }, label];
}

/** The text with the pasted texts inserted. */
export function expand({ byLabel }: Attachments, text: string): string {
  return text.replaceAll(/\[Pasted text #\d+, \d+ lines\]/g, (label) => {
    const content = byLabel.get(label);
    return typeof content === 'string' ? content : label;
  });
}

/** The message as sent: a text, or parts if it has images. */
export function messageOf(attachments: Attachments, text: string): string | readonly ContentPart[] {
  const images = [...attachments.byLabel].flatMap(([label, content]) =>
    typeof content !== 'string' && text.includes(label) ? [content] : [],
  );
  const whole = expand(attachments, text);
  return images.length === 0 ? whole : [{ type: 'text', text: whole }, ...images];
}

/** Earlier messages, and which of them the arrows have brought back. */
export interface History {
  /** The oldest first. */
  readonly messages: readonly string[];
  /** Index of the message that is shown; `messages.length` is the one that is being written. */
  readonly at: number;
  /** What was being written when the arrows began. */
  readonly draft: string;
}

const MOST = 500;

export function historyOf(messages: readonly string[]): History {
  const kept = messages.slice(-MOST);
  return { messages: kept, at: kept.length, draft: '' };
}

/** A message that was sent; consecutive duplicates are stored once. */
export function remember({ messages }: History, message: string): History {
  return historyOf(messages.at(-1) === message ? messages : [...messages, message]);
}

/** The message before or behind the one that is shown; null where there is none. */
export function recall(history: History, direction: -1 | 1, current: string): [History, string] | null {
  const { messages, at } = history;
  const draft = at === messages.length ? current : history.draft;
  const next = at + direction;
  if (next < 0 || next > messages.length) return null;
  return [{ ...history, at: next, draft }, messages[next] ?? draft];
}

/** The latest message that holds the text, without regard to case, after `skipped` others; null where there is none. */
export function searchBack({ messages }: History, query: string, skipped: number): string | null {
  if (query === '') return null;
  const wanted = query.toLowerCase();
  const found = messages.filter((each) => each.toLowerCase().includes(wanted));
  return found.at(-1 - skipped) ?? null;
}
