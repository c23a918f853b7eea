import type { PendingQuestion } from '../state/state.ts';
import { type Line, line, span, truncate } from '../text/line.ts';
import { safeLine, safeText } from '../text/safe.ts';
import { wrapWords } from '../text/wrap.ts';

/** A question with its options; of the model, the last is an answer in one's own words. */
export function questionLines({ question, options, selected, settle }: PendingQuestion, columns: number): Line[] {
  const rows = [...options.map(safeLine), ...(settle === undefined ? ['Another answer'] : [])].map(
    (option, index): Line => {
      const chosen = index === selected;
      return [span(`${chosen ? '› ' : '  '}${index + 1}. ${option}`, chosen ? { bold: true, color: 'cyan' } : {})];
    },
  );
  return [
    ...safeText(question)
      .split('\n')
      .flatMap((each, at) => {
        const first = at === 0 ? span('? ', { color: 'yellow', bold: true }) : span('  ');
        return wrapWords([span(each, { bold: true })], columns, { first: [first], rest: [span('  ')] });
      }),
    ...rows.map((row) => truncate(row, columns)),
    truncate(line('  ↑ ↓ or a number, Enter answers, Esc declines', { dim: true }), columns),
  ];
}
