import type { Quality } from './quality.ts';
import type { Speed } from './speed.ts';

/** The figures of quality, their names, and what is required and aimed at. */
const COLUMNS: readonly (readonly [keyof Quality, string, string])[] = [
  ['right1', 'right page first', '68 % · 75 %'],
  ['right5', 'among five', '88 % · 93 %'],
  ['mrr', 'MRR', '.75 · .82'],
  ['section5', 'section among five', '66 % · 76 %'],
  ['falseAnswered', 'false answers', '15 % · 8 %'],
  ['acceptedAnswerable', 'accepted', '80 %'],
  ['offTopicAnswered', 'off-topic answered', '0'],
];
/** Questions that are asked otherwise are never off-topic. */
const VARIED = COLUMNS.slice(0, 6);

export interface Rated {
  readonly name: string;
  readonly quality: Quality;
}

function format(key: keyof Quality, value: number): string {
  if (key === 'mrr') return value.toFixed(3);
  return key === 'offTopicAnswered' ? String(value) : `${(100 * value).toFixed(1)} %`;
}

function line(first: string, cells: readonly string[], width: number): string {
  return `${first.padEnd(20)}${cells.map((cell) => cell.padStart(width)).join('')}\n`;
}

/** A line for each figure, a column for each contestant, and what is required. */
export function contestTable(contestants: readonly Rated[]): string {
  const head = line('', [...contestants.map(({ name }) => name), 'must · aim'], 22);
  const rows = COLUMNS.map(([key, title, wanted]) =>
    line(title, [...contestants.map(({ quality }) => format(key, quality[key])), wanted], 22),
  );
  return head + rows.join('');
}

/** The speed of the service over a corpus of so many characters. */
export function speedLine(name: string, length: number, { p50ms, p95ms, indexMs, memoryMB }: Speed): string {
  return (
    `${(length / 1e6).toFixed(1)} MB (${name}): query p50 ${p50ms.toFixed(2)} ms, p95 ${p95ms.toFixed(2)} ms (must 3 · 10, aim 1 · 4); ` +
    `from folder to first answer ${indexMs.toFixed(0)} ms (must 1500, aim 500); ${memoryMB.toFixed(0)} MB (must 60)\n`
  );
}

/** A line for each way to ask the questions otherwise. */
export function variationTable(variations: readonly Rated[]): string {
  const titles = VARIED.map(([, title]) => title);
  const rows = variations.map(({ name, quality }) =>
    line(
      name,
      VARIED.map(([key]) => format(key, quality[key])),
      20,
    ),
  );
  return line('asked otherwise', titles, 20) + rows.join('');
}
