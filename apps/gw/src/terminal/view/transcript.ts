import type { ChecklistItem } from '../../agent/types/index.ts';
import type { LiveView } from '../device/screen.ts';
import { type Line, line, type Style, span, truncate } from '../text/line.ts';
import { safeLine } from '../text/safe.ts';
import type { UiState } from './state.ts';

/** The transcript in front of everything, and where one is in it. */
export function transcriptView(
  { lines, top }: NonNullable<UiState['transcript']>,
  columns: number,
  height: number,
): LiveView {
  const room = height - 1;
  const shown = lines.slice(top, top + room);
  const share = lines.length <= room ? 'all' : `${Math.min(100, Math.round(((top + room) / lines.length) * 100))}%`;
  const keys = line(`Transcript, ${share} · Esc closes · ↑ ↓ PgUp PgDn Home End`, { inverse: true });
  return { lines: [...shown, keys].map((each) => truncate(each, columns)), cursor: null, isWhole: true };
}

/** The first row that is shown after a key; null where the key closes the transcript. */
export function scrolled(
  { lines, top }: NonNullable<UiState['transcript']>,
  word: string,
  height: number,
): number | null {
  if (['escape', 'q', 'ctrl+o', 'enter'].includes(word)) return null;
  const last = Math.max(0, lines.length - height);
  const move: Readonly<Record<string, number>> = {
    up: -1,
    k: -1,
    down: 1,
    j: 1,
    pageup: -height,
    pagedown: height,
    ' ': height,
    home: -lines.length,
    g: -lines.length,
    end: lines.length,
    G: lines.length,
  };
  return Math.max(0, Math.min(last, top + (move[word] ?? 0)));
}

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
