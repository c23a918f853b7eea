import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../agent/types/index.ts';
import { lexer } from '../markdown/lexer.ts';
import { lineWidth, plainText } from '../text/line.ts';
import { createLibraries } from './libraries.ts';
import { conversationLines, outcomeLines, previewLines, resultLines, subjectOf, userLines } from './transcript.ts';

const libraries = createLibraries();
await libraries.diff();
const result = (outcome: 'succeeded' | 'failed' | 'denied', content: string, columns = 40): readonly string[] =>
  resultLines(outcome, content, undefined, columns, libraries).map(plainText);

it.each([
  ['Search', { pattern: 'bodyLimit', path: 'lib' }, 'bodyLimit in lib'],
  ['Search', { pattern: 'x', glob: '*.ts' }, 'x in *.ts'],
  ['Agent', { prompt: `Look at the tests.\nAll of them.` }, 'Look at the tests.'],
  ['Agent', { agent: 'reviewer', prompt: 'a'.repeat(80) }, `reviewer: ${'a'.repeat(59)}…`],
  ['mcp__tickets__find', { words: 'body limit', most: 3 }, 'words: "body limit", most: 3'],
  ['Read', { offset: '3', file_path: 'a.txt' }, 'a.txt'],
  ['Bash', { timeout: 3 }, ''],
])('a call of %s is about what names it: %j', (name, values, subject) => {
  expect(subjectOf({ id: 'a', name, arguments: JSON.stringify(values) })).toBe(subject);
});

it('a call whose arguments cannot be read is about nothing', () => {
  for (const text of ['{"file_path":', 'null', '3'])
    expect(subjectOf({ id: 'a', name: 'Read', arguments: text })).toBe('');
});

describe('the result of a call', () => {
  it('is its end, with the number of lines above it', () => {
    const content = Array.from({ length: 12 }, (_, at) => `line ${at}`).join('\n');
    expect(result('succeeded', content)).toEqual([
      '  … 4 lines above',
      ...Array.from({ length: 8 }, (_, at) => `  line ${at + 4}`),
    ]);
  });

  it('is cut where a line is too wide, never within a character', () => {
    const [row = ''] = result('succeeded', '日本'.repeat(30), 20);
    expect(row).toBe(`  ${'日本'.repeat(4)}…`);
    expect(result('succeeded', '🔑'.repeat(40), 20).every((one) => one.isWellFormed())).toBe(true);
  });

  it('says why it was denied or failed, without the words for the model', () => {
    expect(
      result('denied', 'Denied: --exclude Write excludes it. The call was not run. Do not try to get around this.', 80),
    ).toEqual(['  Denied: --exclude Write excludes it.']);
    expect(result('failed', 'a.txt does not exist.', 80)).toEqual(['  Failed: a.txt does not exist.']);
    expect(result('succeeded', '  \n')).toEqual([]);
  });

  it.each([
    'TypeError: x is not a function',
    'org.example.NullPointerException',
    'not ok 12 - a body above the limit',
    '\u2716 a body above the limit (3 ms)',
    'test result: FAILED',
  ])('shows a line in the middle of a long failure that names the fault: %s', (fault) => {
    const rows = Array.from({ length: 60 }, (_, at) => (at === 30 ? fault : `step ${at}`));
    const shown = result('failed', rows.join('\n'), 80);
    expect(shown).toContain(`  ${fault}`);
    expect(shown.at(-1)).toBe('  step 59');
  });

  it('is the change, where a file was changed', () => {
    const display = { kind: 'diff', path: 'a.txt', before: 'old\n', after: 'new\n' } as const;
    const rows = resultLines('succeeded', 'a.txt was edited.', display, 60, libraries).map(plainText);
    expect(rows.join('\n')).toMatch(/^ {2}a\.txt \+1 -1\n.*- ?old\n.*\+ ?new$/s);
  });
});

it.each([
  [{ status: 'completed' as const, error: null }, ''],
  [{ status: 'interrupted' as const, error: null }, 'Interrupted.'],
  [
    { status: 'refused' as const, error: { message: 'The budget is used up.', status: 402, revoked: false } },
    'The gateway refused: The budget is used up.',
  ],
  [{ status: 'failed' as const, error: null }, 'Failed: no reason was given.'],
])('the end of a turn: %j', (ending, expected) => {
  const outcome = { answer: '', toolCalls: [], usage: { inputTokens: 0, outputTokens: 0, calls: 0 }, ...ending };
  expect(outcomeLines(outcome, 80).map(plainText).join('\n')).toBe(expected);
});

it('a conversation that is resumed shows what was said, the calls by name, and no results', () => {
  const messages: readonly Message[] = [
    { role: 'user', content: 'first\nsecond' },
    { role: 'assistant', content: '**bold**', toolCalls: [{ id: '1', name: 'Read', arguments: '{}' }] },
    { role: 'tool', callId: '1', content: 'THE RESULT' },
    { role: 'user', content: 'THE SUMMARY', summary: true },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'see' },
        { type: 'image', url: 'data:,' },
      ],
    },
  ];
  const text = conversationLines(messages, lexer, { columns: 60, highlight: null }).map(plainText).join('\n');
  expect(text).toBe('\n> first\n  second\n\nbold\n\n● Read ✓\n\nTHE SUMMARY\n\n> see\n  [Image]');
});

it('nothing is wider than the window, and nothing of it is a control character', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.constantFrom('日本語'.repeat(40), 'a\tb\r\nc\x1b[2Jd', '👩‍👩‍👧'.repeat(30), 'x'.repeat(300), '\u202eabc\u0000'),
  );
  const preview = fc.oneof(
    text.map((command) => ({ kind: 'command' as const, command, note: command })),
    text.map((one) => ({ kind: 'text' as const, text: one })),
    fc.tuple(text, text, text).map(([path, before, after]) => ({ kind: 'diff' as const, path, before, after })),
  );
  const outcome = fc.constantFrom('succeeded' as const, 'failed' as const, 'denied' as const);
  fc.assert(
    fc.property(text, preview, outcome, fc.integer({ min: 20, max: 120 }), (content, display, how, columns) => {
      const lines = [
        ...userLines(content, columns),
        ...previewLines(display, columns, libraries),
        ...resultLines(how, content, undefined, columns, libraries),
        ...resultLines(how, content, display, columns, libraries),
      ];
      for (const one of lines) expect(lineWidth(one)).toBeLessThanOrEqual(columns);
      // oxlint-disable-next-line no-control-regex -- none may reach the terminal
      expect(lines.map(plainText).join('')).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/);
    }),
    { numRuns: 200 },
  );
});
