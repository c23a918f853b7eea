import { printable } from '@gateway/contract';

/** The value a dotted column names, `target.kind` for one inside another. */
function valueAt(row: object, column: string): unknown {
  return column
    .split('.')
    .reduce<unknown>(
      (value, name) => (value instanceof Object && Object.hasOwn(value, name) ? value[name as never] : null),
      row,
    );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  // A modified log may contain an instant beyond every calendar; it gives an empty cell.
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(' ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * One cell (RFC 4180). A text that a spreadsheet would run as a formula gets a leading apostrophe, also if its sign is
 * full-width, which some programs treat as the ASCII one. Numbers are unchanged.
 */
function cell(value: unknown): string {
  const text = printable(textOf(value), true);
  const safe = typeof value !== 'number' && /^\s*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text;
  return /[",\r\n;']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A line of CSV with its line end. */
export function csvLine(row: object, columns: readonly string[]): string {
  return `${columns.map((column) => cell(valueAt(row, column))).join(',')}\r\n`;
}

/** The first line: the names of the columns. */
export function csvHeader(columns: readonly string[]): string {
  return `${columns.map(cell).join(',')}\r\n`;
}
