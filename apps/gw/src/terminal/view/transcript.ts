import type { LiveView } from '../screen/screen.ts';
import type { UiState } from '../state/state.ts';
import { line, truncate } from '../text/line.ts';

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
