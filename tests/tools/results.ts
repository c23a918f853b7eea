import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** What a run saw of a tool. */
export interface Result {
  readonly version?: string;
  /** Whether its turn was recorded exactly. */
  readonly turn?: boolean;
  readonly shown?: readonly { readonly title: string; readonly shows: string; readonly calls: number }[];
}

const fileOf = (page: string): string => path.resolve('.cache', 'tool-results', `${page}.json`);

export function resultOf(page: string): Result {
  const file = fileOf(page);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Result) : {};
}

/** Adds to what is known of a tool. */
export function addResult(page: string, more: Result): void {
  mkdirSync(path.dirname(fileOf(page)), { recursive: true });
  writeFileSync(fileOf(page), JSON.stringify({ ...resultOf(page), ...more }));
}

const TITLE = '## What it shows when the gateway refuses';

/** The last section of a tool's page, made from a run. */
export function sectionOf({ version, shown }: Result): string {
  const rows = (shown ?? []).map(({ title, shows, calls }) => `| ${title} | ${shows} | ${calls} |`);
  return [
    TITLE,
    '',
    `A run with a tool call was tested with version ${version}. For each refusal, the table has what the tool shows of the`,
    "gateway's answer, and the number of its calls.",
    '',
    '| Refusal | It shows | Calls |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

/** The page without that section. */
export const withoutSection = (text: string): string =>
  text
    .replace(new RegExp(`^${TITLE}[^]*`, 'm'), '')
    .replace(/^A run .*was tested with version \S+\n?/m, '')
    .trimEnd();
