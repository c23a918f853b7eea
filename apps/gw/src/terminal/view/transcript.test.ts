import { describe, expect, it } from 'vitest';
import { type Line, plainText } from '../text/line.ts';
import { checklistLines } from './transcript.ts';

const shown = (lines: readonly Line[]): string => lines.map((each) => plainText(each).trimEnd()).join('\n');

describe('a checklist', () => {
  it('has a sign for each state', () => {
    const items = [
      { text: 'one', state: 'done' },
      { text: 'two\nlines', state: 'doing' },
      { text: 'three', state: 'open' },
    ] as const;
    expect(shown(checklistLines(items, 40))).toBe('☑ one\n▶ two lines\n☐ three');
    expect(checklistLines([], 40)).toEqual([]);
  });

  it('that is done shows its end, and a long one counts the rest', () => {
    const items = Array.from({ length: 12 }, (_, at) => ({ text: `item ${at}`, state: 'done' as const }));
    const rows = shown(checklistLines(items, 40)).split('\n');
    expect([rows.length, rows.at(-1)]).toEqual([9, '  … 4 more']);
    const open = items.map((each, at) => (at < 11 ? each : { ...each, state: 'open' as const }));
    expect(shown(checklistLines(open, 40))).toContain('☐ item 11');
  });
});
