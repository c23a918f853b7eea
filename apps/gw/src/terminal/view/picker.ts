import type { Picker } from '../state/state.ts';
import { type Line, line, span, truncate } from '../text/line.ts';
import { safeLine } from '../text/safe.ts';

/** A list to choose from, around the chosen item. */
export function pickerLines({ title, items, selected }: Picker, columns: number, height: number): Line[] {
  const from = Math.max(0, Math.min(selected - Math.floor(height / 2), items.length - height));
  const rows = items.slice(from, from + height).map((item, index): Line => {
    const chosen = from + index === selected;
    return [span(`${chosen ? '› ' : '  '}${safeLine(item)}`, chosen ? { bold: true, color: 'cyan' } : {})];
  });
  const keys = line(`↑ ↓ choose, Enter selects, Esc closes (${selected + 1} of ${items.length})`, { dim: true });
  return [line(safeLine(title), { bold: true }), ...rows, keys].map((each) => truncate(each, columns));
}
