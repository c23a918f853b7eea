import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { ContentPart } from '../../agent/types/index.ts';
import { graphemesOf, widthOf } from '../text/line.ts';
import {
  type Attachments,
  attach,
  type Edit,
  type Editor,
  EMPTY_EDITOR,
  edit,
  editorOf,
  expand,
  insert,
  isLong,
  messageOf,
  NO_ATTACHMENTS,
} from './editor.ts';
import { layOut } from './frame.ts';

const EDITS: readonly Edit[] = [
  'left',
  'right',
  'word-left',
  'word-right',
  'line-start',
  'line-end',
  'up',
  'down',
  'backspace',
  'delete',
  'delete-word',
  'kill-to-start',
  'kill-to-end',
  'kill-word',
  'yank',
  'undo',
];
/** The text with the cursor as `|`. */
const shown = ({ text, cursor }: Editor): string => `${text.slice(0, cursor)}|${text.slice(cursor)}`;
/** An editor from a text in which `|` is the cursor. */
function at(text: string): Editor {
  return { ...editorOf(text.replace('|', '')), cursor: text.indexOf('|') };
}

test.each<[string, Edit, string]>([
  ['one two|', 'kill-word', 'one |'],
  ['one two  |', 'kill-word', 'one |'],
  ['one| two', 'kill-to-end', 'one|'],
  ['one |two', 'kill-to-start', '|two'],
  ['one\n|two', 'kill-to-start', 'one|two'],
  ['one|\ntwo', 'kill-to-end', 'one|two'],
  ['one\ntw|o', 'line-start', 'one\n|two'],
  ['o|ne\ntwo', 'line-end', 'one|\ntwo'],
  ['long line\nab|', 'up', 'lo|ng line\nab'],
  ['long li|ne\nab', 'down', 'long line\nab|'],
  ['one|', 'up', 'one|'],
  ['一二|', 'backspace', '一|'],
  ['e\u0301|x', 'backspace', '|x'],
  ['|👩‍👩‍👧x', 'right', '👩‍👩‍👧|x'],
  ['one two|', 'word-left', 'one |two'],
  ['|one two', 'word-right', 'one| two'],
])('%s, %s: %s', (before, what, after) => {
  expect(shown(edit(at(before), what))).toBe(after);
});

test('what was cut comes back, and undo takes whole words back', () => {
  expect(shown(edit(edit(at('one two|'), 'kill-word'), 'yank'))).toBe('one two|');
  let editor = EMPTY_EDITOR;
  for (const letter of 'one two') editor = insert(editor, letter);
  editor = edit(editor, 'undo');
  expect(shown(editor)).toBe('one|');
  expect(shown(edit(editor, 'undo'))).toBe('|');
});

const text = fc
  .array(fc.constantFrom('a', 'b c', '\n', 'é', 'e\u0301', '日本', '👩‍👩‍👧', ' ', '\t', '🇫🇷'))
  .map((parts) => parts.join(''));
const action = fc.oneof(
  fc.constantFrom(...EDITS).map((what) => (editor: Editor) => edit(editor, what)),
  text.map((piece) => (editor: Editor) => insert(editor, piece)),
);

describe('after any edits', () => {
  test('the cursor is between two characters of the text', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 30 }), (actions) => {
        let editor = EMPTY_EDITOR;
        for (const act of actions) {
          editor = act(editor);
          const boundaries = graphemesOf(editor.text).reduce(
            (all, each) => [...all, (all.at(-1) ?? 0) + each.length],
            [0],
          );
          expect(boundaries).toContain(editor.cursor);
        }
      }),
    );
  });

  test('the rows contain the text, fit the width, and the cursor is where the text before it ends', () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.integer({ min: 2, max: 12 }), (content, seed, columns) => {
        const letters = graphemesOf(content);
        const cursor = letters.slice(0, seed % (letters.length + 1)).join('').length;
        const layout = layOut({ text: content, cursor }, columns, 1000);
        expect(layout.rows.join('')).toBe(content.replaceAll('\n', '').replaceAll('\t', ' '));
        for (const row of layout.rows) expect(widthOf(row)).toBeLessThanOrEqual(columns);
        expect(layout.column).toBeLessThanOrEqual(columns);
        const above = layout.rows.slice(0, layout.row).join('');
        const within = graphemesOf(layout.rows[layout.row] ?? '');
        let before = '';
        while (widthOf(before) < layout.column) before += within.shift();
        expect(above + before).toBe(content.slice(0, cursor).replaceAll('\n', '').replaceAll('\t', ' '));
      }),
    );
  });

  test('of more rows than fit, those around the cursor are shown', () => {
    const content = Array.from({ length: 50 }, (_, row) => `row ${row}`).join('\n');
    const layout = layOut({ text: content, cursor: content.indexOf('row 25') }, 20, 5);
    expect(layout.rows).toContain('row 25');
    expect([layout.rows.length, layout.above + layout.below]).toEqual([5, 45]);
  });
});

const IMAGE: ContentPart = { type: 'image', url: 'data:image/png;base64,AA==' };

describe('a pasted text', () => {
  it('is long by its lines or by its characters', () => {
    expect([isLong('x'.repeat(1500)), isLong('x'.repeat(1501))]).toEqual([false, true]);
    expect([isLong('x\n'.repeat(7)), isLong('x\n'.repeat(8))]).toEqual([false, true]);
  });

  it('is whole in the message, wherever its label is, and whatever is in it', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('[Pasted text #1, 1 lines]', '$&', '$1', '[Image #2]', 'a\nb'));
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 4 }),
        fc.string({ unit: fc.constantFrom('a', ' ', '$') }),
        (texts, between) => {
          let attachments: Attachments = NO_ATTACHMENTS;
          const labels = texts.map((each) => {
            const [next, label] = attach(attachments, each);
            attachments = next;
            return label;
          });
          expect(new Set(labels).size).toBe(labels.length);
          expect(expand(attachments, labels.join(between))).toBe(texts.join(between));
        },
      ),
    );
  });

  it('whose label was changed or written by hand stays as it is written', () => {
    const [attachments, label] = attach(NO_ATTACHMENTS, 'one\ntwo');
    expect(label).toBe('[Pasted text #1, 2 lines]');
    for (const text of ['[Pasted text #1, 3 lines]', '[Pasted text #2, 2 lines]', 'Pasted text #1, 2 lines'])
      expect(expand(attachments, text)).toBe(text);
  });
});

describe('a message with images', () => {
  it('has each image once, behind the text, and those alone whose label is left', () => {
    const [one, first] = attach(NO_ATTACHMENTS, IMAGE);
    const [two, second] = attach(one, { ...IMAGE, url: 'data:image/png;base64,BB==' });
    expect(messageOf(two, `see ${second} and ${second}`)).toEqual([
      { type: 'text', text: `see ${second} and ${second}` },
      { type: 'image', url: 'data:image/png;base64,BB==' },
    ]);
    expect(messageOf(two, `${first}${second}`)).toHaveLength(3);
    expect(messageOf(two, 'none')).toBe('none');
  });

  it('has the pasted texts in its text', () => {
    const [one, image] = attach(NO_ATTACHMENTS, IMAGE);
    const [two, pasted] = attach(one, 'long text');
    expect(messageOf(two, `${image} ${pasted}`)).toEqual([{ type: 'text', text: '[Image #1] long text' }, IMAGE]);
  });
});
