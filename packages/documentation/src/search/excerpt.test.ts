import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexOf } from '../testing/corpus.ts';
import { excerptOf } from './excerpt.ts';
import { readQuestion } from './question.ts';

const FENCE = '```';

function excerpt(text: string, question: string): string {
  const index = indexOf({ Page: text, Other: 'Something else entirely.' });
  return excerptOf(index, text, readQuestion(index, question));
}

/** CommonMark's fences, with its rule on indentation: whether every block that opens is closed. */
function fencesWhole(text: string): boolean {
  let open: string | null = null;
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (!mark?.[1]) continue;
    if (open === null) open = mark[1];
    else if (mark[1][0] === open[0] && mark[1].length >= open.length && mark[2]?.trim() === '') open = null;
  }
  return open === null;
}

const filler = Array.from({ length: 12 }, (_, at) => `Paragraph ${at} speaks of the weather and of the sea.`);

describe('an excerpt', () => {
  it('is the whole of a short passage', () => {
    expect(excerpt('One line.\n\nAnother line.', 'line')).toBe('One line.\n\nAnother line.');
  });
  it('is taken from the part that answers the question', () => {
    const text = [...filler.slice(0, 8), 'The turbine is blue.', ...filler.slice(8)].join('\n\n');
    const taken = excerpt(text, 'turbine');
    expect(taken).toContain('The turbine is blue.');
    expect(taken.length).toBeLessThan(700);
  });
  it('starts with what introduces it', () => {
    const text = [...filler, 'Run this once:', `${FENCE}\nturbine --start\n${FENCE}`].join('\n\n');
    expect(excerpt(text, 'turbine')).toContain(`Run this once:\n\n${FENCE}\nturbine --start\n${FENCE}`);
  });
  it('shows a long block from its first line to its last', () => {
    const code = Array.from({ length: 40 }, (_, at) => `echo step-${at} # configure the harbour, step ${at}`);
    const taken = excerpt(
      [...filler, `${FENCE}bash\n${code.join('\n')}\n${FENCE}`, ...filler].join('\n\n'),
      'configure the harbour',
    );
    expect(taken.match(/step-\d+/g)).toHaveLength(40);
    expect(fencesWhole(taken)).toBe(true);
  });
  it('leaves a huge block out rather than cutting it', () => {
    const text = `Before it.\n\n${FENCE}\n${'turbine\n'.repeat(2000)}${FENCE}\n\nBehind it.`;
    expect(excerpt(text, 'turbine')).toBe('Before it.\n\nBehind it.');
    expect(excerpt(`${FENCE}\n${'turbine\n'.repeat(2000)}${FENCE}`, 'turbine')).toBe('');
  });
  it('cuts a long paragraph at a line and marks it', () => {
    const lines = Array.from({ length: 40 }, (_, at) =>
      at === 30 ? '- the turbine is blue' : `- item ${at} of a long list`,
    );
    const taken = excerpt(lines.join('\n'), 'turbine');
    expect(taken).toMatch(/^… .*- the turbine is blue.* …$/s);
    expect(taken.length).toBeLessThan(650);
  });
  it('cuts a long line at a sentence, and an endless sentence at a word', () => {
    const sentences = `${'The weather is fine today. '.repeat(40)}The turbine is blue. ${'The sea is calm. '.repeat(40)}`;
    expect(excerpt(sentences, 'turbine')).toMatch(/^… (?:The \w+ is \w+(?: today)?\.\s?)+ …$/);
    const endless = excerpt(`turbine ${'weather '.repeat(300)}`, 'turbine');
    expect(endless).toMatch(/^turbine (?:weather )+… …$|^turbine (?:weather )+…$/);
  });
  it('leaves out lines that only open or close a component', () => {
    expect(excerpt('<Tabs>\n<Tab title="One">\nThe turbine.\n</Tab>\n</Tabs>', 'turbine')).toBe('The turbine.');
  });
  it('never opens a block it does not close, for any passage', () => {
    const piece = constantFrom(
      'turbine text',
      '',
      FENCE,
      `${FENCE}bash`,
      '````md',
      '````',
      '~~~',
      `  ${FENCE}`,
      `     ${FENCE}`,
      `${FENCE}inline${FENCE} code`,
      '# comment',
      '---',
      filler.join(' '),
    );
    assert(
      property(array(piece, { maxLength: 25 }), (lines) => {
        expect(fencesWhole(excerpt(lines.join('\n'), 'turbine'))).toBe(true);
      }),
      { numRuns: 400 },
    );
  });
});
