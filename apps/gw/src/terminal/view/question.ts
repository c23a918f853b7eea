import type { PendingQuestion } from '../state/state.ts';
import { type Line, line, span, truncated } from '../text/line.ts';
import { safeText } from '../text/safe.ts';
import { wrapWords } from '../text/wrap.ts';

/** A question of the model with its options, the last of which is an answer in one's own words. */
export function questionLines({ question, options, selected }: PendingQuestion, columns: number): Line[] {
  const asked: Line = [span('? ', { color: 'yellow', bold: true }), span(safeText(question), { bold: true })];
  const rows = [...options.map((option) => safeText(option).replaceAll('\n', ' ')), 'An answer of my own'].map(
    (option, index): Line => {
      const chosen = index === selected;
      return [span(`${chosen ? '› ' : '  '}${index + 1}. ${option}`, chosen ? { bold: true, color: 'cyan' } : {})];
    },
  );
  return [
    ...wrapWords(asked, columns, { rest: [span('  ')] }),
    ...rows.map((row) => truncated(row, columns)),
    truncated(line('  ↑ ↓ or a number, Enter answers, Esc declines', { dim: true }), columns),
  ];
}
