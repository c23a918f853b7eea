import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { line, lineWidth, plainText } from '../text/line.ts';
import { editorOf } from './editor.ts';
import { frame, questionLines } from './frame.ts';
import { initialState, type PendingApproval, type UiState } from './state.ts';

const OPTIONS = { columns: 60, rows: 20, now: 5000, screenReader: false };
const stateWith = (change: Partial<UiState>): UiState => ({ ...initialState(), model: 'Test Model', ...change });
const shown = (change: Partial<UiState>, options = {}): string =>
  frame(stateWith(change), [], { ...OPTIONS, ...options })
    .lines.map(plainText)
    .join('\n');
const approval = (change: Partial<PendingApproval> = {}): PendingApproval => ({
  id: 'p',
  call: '1',
  tool: 'Bash',
  target: 'npm test',
  reason: 'Bash asks by default.',
  arguments: '{}',
  preview: null,
  subAgent: null,
  ...change,
});

describe('the live part', () => {
  it('shows what runs, for how long, and the end of its output', () => {
    const tools = [
      { id: '1', tool: 'Bash', target: 'make\nall', output: 'a\nb\nc\nd\ne\nf\ng\n', announced: 'no' as const },
    ];
    const text = shown({ activity: { label: 'Working', startedAt: 1000 }, tools, reasoning: 'one\ntwo\nthree' });
    expect(text).toMatch(
      /two\nthree\n● Bash make …\n {2}c\n {2}d\n {2}e\n {2}f\n {2}g\n\S Working 4s · Esc interrupts/,
    );
  });

  it('asks for an approval in the place of the input, and names a sub-agent', () => {
    const text = shown({ approvals: [approval({ subAgent: 's' })], editor: editorOf('draft', initialState().editor) });
    expect(text).toContain('? Allow Bash npm test? (asked by a sub-agent)\n  Bash asks by default.');
    expect(text).not.toContain('draft');
  });

  it('shows control characters of what is approved, so that nothing hides in it', () => {
    const text = shown({ approvals: [approval({ target: 'rm x\x1b[8m\u202e\r echo' })] });
    // oxlint-disable-next-line no-control-regex -- none may be left
    expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\u202e]/);
    expect(text).toMatch(/Allow Bash rm x\S+/);
  });

  it('offers an own answer behind the options of a question', () => {
    const questions = [{ id: 'q', question: 'Which?', options: ['one', 'two'], selected: 1 }];
    expect(shown({ questions })).toContain('? Which?\n  1. one\n› 2. two\n  3. Another answer');
    expect(shown({ questions: [{ ...questions[0], selected: 2 } as (typeof questions)[0]] })).toContain(
      'Your answer to: Which?',
    );
  });

  it('keeps the item that is worked on in sight of a long checklist', () => {
    const checklist = Array.from({ length: 30 }, (_, at) => ({
      text: `item ${at}`,
      state: at < 20 ? ('done' as const) : at === 20 ? ('doing' as const) : ('open' as const),
    }));
    const text = shown({ checklist, activity: { label: 'Working', startedAt: 0 } });
    expect(text).toContain('▶ item 20');
    expect(text).toContain('… 22 more');
  });

  it.each([
    [{ contextTokens: 500, contextLength: 1000 }, 'context 50%'],
    [{ contextTokens: 1234, contextLength: null }, 'context 1.2k'],
    [{ inputTokens: 999, outputTokens: 1_500_000 }, '999 in, 1.5M out'],
    [{ cost: 0.0042 }, '€0.0042'],
    [{ cost: 1.3 }, '€1.30'],
    [{ mode: 'plan' as const }, 'plan mode · Test Model'],
    [{ hint: 'Press Esc.' }, 'Press Esc.'],
  ])('has a status line: %j', (change, expected) => {
    expect(shown(change).split('\n').at(-1)).toContain(expected);
  });
});

it('fits every window, with the cursor in it, whatever is shown', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 120 }),
    fc.constantFrom(
      '',
      'one\ntwo\nthree',
      '日本語 '.repeat(30),
      'word '.repeat(60),
      '\x1b[31mred',
      'a\tb',
      '\u202eright',
    ),
  );
  const texts = fc.array(text, { maxLength: 5 });
  const state: fc.Arbitrary<Partial<UiState>> = fc.record(
    {
      editor: text.map((one) => editorOf(one, initialState().editor)),
      activity: fc.constant({ label: 'Working', startedAt: 0 }),
      reasoning: text,
      status: text,
      hint: text,
      queue: texts,
      model: text,
      tools: fc.array(
        fc.record({
          id: fc.constant('1'),
          tool: text,
          target: text,
          output: text,
          announced: fc.constant('no' as const),
        }),
        { maxLength: 4 },
      ),
      checklist: fc.array(fc.record({ text, state: fc.constantFrom('open' as const, 'done' as const) }), {
        maxLength: 20,
      }),
      approvals: fc.array(
        fc.record({ target: text, reason: text }).map((change) => approval(change)),
        { maxLength: 2 },
      ),
      questions: fc.array(fc.record({ id: text, question: text, options: texts, selected: fc.nat(3) }), {
        maxLength: 1,
      }),
      picker: fc
        .record({ title: text, items: fc.array(text, { minLength: 1, maxLength: 40 }), selected: fc.constant(0) })
        .map((one) => ({ ...one, choose: () => undefined })),
      contextTokens: fc.nat(),
      inputTokens: fc.nat(),
    },
    { requiredKeys: [] },
  );
  const size = fc.record({ columns: fc.integer({ min: 11, max: 120 }), rows: fc.integer({ min: 4, max: 50 }) });
  fc.assert(
    fc.property(state, size, fc.array(text, { maxLength: 6 }), fc.boolean(), (change, window, answer, screenReader) => {
      const lines = answer.map((one) => line(one.replaceAll(/\p{Cc}/gu, '')));
      const view = frame(stateWith(change), lines, { ...window, now: 0, screenReader });
      expect(view.lines.length).toBeLessThan(window.rows);
      for (const one of view.lines) expect(lineWidth(one)).toBeLessThan(window.columns);
      // oxlint-disable-next-line no-control-regex -- none may reach the terminal
      expect(view.lines.map(plainText).join('')).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
      const { row, column } = view.cursor ?? { row: 0, column: 0 };
      expect(row).toBeLessThan(Math.max(1, view.lines.length));
      expect(column).toBeLessThan(window.columns);
    }),
    { numRuns: 300 },
  );
});

describe('a question', () => {
  it('of several lines has its options below, each in one row', () => {
    const question = { id: 'q', question: 'Which of\nthe two?', options: ['the\nfirst', 'x'.repeat(80)], selected: 2 };
    expect(questionLines(question, 30).map(plainText).join('\n')).toBe(
      `? Which of
  the two?
  1. the first
  2. ${'x'.repeat(24)}…
› 3. Another answer
  ↑ ↓ or a number, Enter answ…`,
    );
  });
});
