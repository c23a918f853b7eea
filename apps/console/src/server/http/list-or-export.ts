import { printable } from '@gateway/contract';
import type { Queryable, Sql } from '@gateway/database';
import type { Page, Rows } from '@gateway/database/client/pages';
import * as z from 'zod';
import { okResponse } from './answers.ts';
import { pageAsked, pageOf, type SortKey } from './page.ts';
import type { Call } from './route.ts';

/** The value a dotted column names, `target.kind` for one inside another. */
function valueAt(row: object, column: string): unknown {
  return column
    .split('.')
    .reduce<unknown>(
      (value, name) => (value instanceof Object && Object.hasOwn(value, name) ? value[name as never] : null),
      row,
    );
}

function cellText(value: unknown): string {
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
  const text = printable(cellText(value), true);
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

/** Rows fetched at once for a file: few enough to keep memory flat, enough to keep PostgreSQL busy. */
const BATCH = 500;

const TYPES = { csv: 'text/csv; charset=utf-8; header=present', jsonl: 'application/x-ndjson' };

/** Without it, some spreadsheets read a local file in the system's code page, and show `Zoë` as `ZoÃ«`. */
const BYTE_ORDER_MARK = '\ufeff';

/** A list that can be had page by page or as a whole file. */
export interface ListOf<Row extends object, Key extends readonly (string | number)[]> {
  readonly plural: string;
  /** Columns of the CSV file, dotted for nested values. */
  readonly columns: readonly string[];
  readonly select: (sql: Queryable, page: Page<Key>) => Rows<Row>;
  readonly keyOf: (row: Row) => SortKey;
  /** The exported form of a row, if it differs from the row itself. */
  readonly shape?: (row: Row) => object;
}

async function* linesOf<Row extends object>(
  exports: Sql,
  select: (sql: Queryable) => Rows<Row>,
  format: Exclude<Format, 'json'>,
  columns: readonly string[],
  shape: (row: Row) => object,
  forSpreadsheet: boolean,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  if (format === 'csv') yield encoder.encode((forSpreadsheet ? BYTE_ORDER_MARK : '') + csvHeader(columns));
  const held = await exports.reserve();
  try {
    for await (const batch of select(held).cursor(BATCH)) {
      const lines = batch
        .map(shape)
        .map((row) => (format === 'csv' ? csvLine(row, columns) : `${JSON.stringify(row)}\n`));
      yield encoder.encode(lines.join(''));
    }
    await held`select 1`; // a cursor whose connection is lost between two batches ends as if it had read everything
  } finally {
    held.release();
  }
}

/**
 * A page as JSON, or everything the filter chooses as CSV or JSON Lines, read with a cursor while it is sent: the file may be
 * larger than memory, and a reader that leaves ends the reading.
 */
export async function listOrExport<Row extends object, Key extends readonly (string | number)[]>(
  call: Call<unknown, Parameters<typeof pageAsked<Key>>[0]>,
  { plural, columns, select, keyOf, shape = (row) => row }: ListOf<Row, Key>,
): Promise<Response> {
  const { query, services, request } = call;
  const page = pageAsked(query);
  const format = formatOf(request);
  if (format === 'json') {
    const rows = await select(services.database, page);
    return okResponse(pageOf(plural, rows, page, keyOf, shape));
  }
  // A file is read by its own order: sorting a log whole would keep it in memory.
  const all = (sql: Queryable) => select(sql, { ...page, limit: null, sorted: null });
  return new Response(ReadableStream.from(linesOf(services.exports, all, format, columns, shape, byLink(request))), {
    headers: {
      'content-type': TYPES[format],
      'content-disposition': `attachment; filename="${plural}.${format}"`,
      'cache-control': 'no-store',
    },
  });
}

/** How a list may be had: a page of JSON, or the whole of it as a file. */
type Format = 'json' | 'csv' | 'jsonl';

/** Query member that asks for a file where a link cannot set `Accept`. */
export const exporting = { format: z.enum(['json', 'csv', 'jsonl']).optional() };

const FORMAT_TYPES: readonly (readonly [string, Format])[] = [
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
    const known = FORMAT_TYPES.find(([name]) => name === type);
    if (known !== undefined) return known[1];
  }
  return 'json';
}

/** Whether it was requested by a link, to be opened in a spreadsheet. Programs send `Accept`. */
function byLink(request: Request): boolean {
  return new URL(request.url).searchParams.has('format');
}
