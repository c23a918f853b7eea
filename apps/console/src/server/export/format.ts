import * as z from 'zod';

/** How a list may be had: a page of JSON, or the whole of it as a file. */
export type Format = 'json' | 'csv' | 'jsonl';

/** Query member that asks for a file where a link cannot set `Accept`. */
export const exporting = { format: z.enum(['json', 'csv', 'jsonl']).optional() };

const TYPES: readonly (readonly [string, Format])[] = [
  ['application/json', 'json'],
  ['text/csv', 'csv'],
  ['application/x-ndjson', 'jsonl'],
  ['application/jsonl', 'jsonl'],
];

/** What the query asks for, else the first known type of `Accept`, else JSON. */
export function formatOf(request: Request): Format {
  const asked = exporting.format.safeParse(new URL(request.url).searchParams.get('format') ?? undefined);
  if (asked.success && asked.data !== undefined) return asked.data;
  const accepted = (request.headers.get('accept') ?? '')
    .split(',')
    .map((part) => part.split(';')[0]?.trim().toLowerCase());
  for (const type of accepted) {
    const known = TYPES.find(([name]) => name === type);
    if (known !== undefined) return known[1];
  }
  return 'json';
}

/** Whether it was requested by a link, to be opened in a spreadsheet. Programs send `Accept`. */
export function byLink(request: Request): boolean {
  return new URL(request.url).searchParams.has('format');
}
