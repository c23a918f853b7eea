import type { ChecklistItem } from '../../agent/types.ts';
import { type Line, type Style, span, truncate } from '../text/line.ts';
import { safeLine } from '../text/safe.ts';

const MARKS: Readonly<Record<ChecklistItem['state'], readonly [string, Style]>> = {
  open: ['☐', {}],
  doing: ['▶', { bold: true }],
  done: ['☑', { dim: true }],
};
const MOST = 8;

/** The model's checklist; a long one around the first item that is not done. */
export function checklistLines(items: readonly ChecklistItem[], columns: number): Line[] {
  const current = Math.max(
    0,
    items.findIndex(({ state }) => state !== 'done'),
  );
  const from = Math.max(0, Math.min(current - 2, items.length - MOST));
  const shown = items.slice(from, from + MOST).map(({ text, state }): Line => {
    const [mark, style] = MARKS[state];
    return truncate([span(`${mark} `, style), span(safeLine(text), style)], columns);
  });
  const rest = items.length - shown.length;
  return rest > 0 ? [...shown, [span(`  … ${rest} more`, { dim: true })]] : shown;
}
