import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useAddressPosition, useLocalPosition, WHOLE } from '../route/use-position.ts';
import { type ApiError, request } from './request.ts';

/** A page of a list: the rows under their plural, and the cursors of the pages beside it (console-9). */
type Page = Readonly<Record<string, unknown>> & { readonly next: string | null; readonly previous?: string | null };

/** A page with the number of rows before it: the rows still shown while another page loads keep their own number. */
interface Placed {
  readonly page: Page;
  readonly counted: number | null;
  readonly before: number | null;
}

/** One page of a list at a time, so that a table of any size has few rows. */
export interface List<Row> {
  readonly rows: readonly Row[];
  readonly query: UseQueryResult<Placed, ApiError>;
  /** Number of rows of the previous pages; null if unknown. */
  readonly before: number | null;
  /** Goes to the previous or next page; null if there is none, or while another page loads. */
  readonly previous: (() => void) | null;
  readonly next: (() => void) | null;
  readonly pageSize: number;
  readonly setPageSize: (rows: number) => void;
  /** The column that the rows are sorted by, with `-` before it for the greatest first; null for the list's own order. */
  readonly sort: string | null;
  readonly setSort: (sort: string | null) => void;
}

/** Filters that are set; an empty one asks nothing. */
export type Filters = Readonly<Record<string, string | undefined>>;

/** The address of a list with its filters. */
export function listPath(path: string, filters: Filters = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (value !== undefined && value !== '') query.set(name, value);
  return query.size === 0 ? path : `${path}?${query}`;
}

/**
 * A list of the API, page by page. `plural` names the member with the rows. Other filters begin at the first page again; while
 * a page loads, the one before it stays on the screen.
 * @param inAddress the list's name if the address contains its page, empty for the only one of a tab; absent in a dialog
 */
export function useList<Row>(path: string, plural: string, filters: Filters = {}, inAddress?: string): List<Row> {
  const local = useLocalPosition(listPath(path, filters));
  const placed = useAddressPosition(inAddress ?? '');
  const { position, setRows, setSort, goTo, first } = inAddress === undefined ? local : placed;
  const { rows, page, cursor } = position;
  const sort = position.sort ?? undefined;
  const asked = listPath(path, { ...filters, limit: String(rows), sort });
  const query = useQuery<Placed, ApiError>({
    queryKey: [asked, cursor],
    queryFn: async ({ signal }) => {
      const read = await request<Page>(
        'GET',
        listPath(path, { ...filters, limit: String(rows), sort, cursor }),
        undefined,
        signal,
      );
      const counted = (read.previous ?? null) === null ? 1 : page;
      return { page: read, counted, before: counted && (counted - 1) * rows };
    },
    placeholderData: keepPreviousData,
  });
  // A beginning that is none, from an address that was cut or written by hand: the list is shown from its first page.
  const isAstray = cursor !== undefined && query.error?.status === 400 && 'cursor' in query.error.fields;
  const isUnsortable = query.error?.status === 400 && 'sort' in query.error.fields;
  const { next = null, previous = null } = query.data?.page ?? {};
  // After stepping back to the beginning, show the first page: it includes rows added since.
  const isBegun = cursor !== undefined && query.isSuccess && !query.isPlaceholderData && previous === null;
  useEffect(() => {
    if (isUnsortable) setSort(null);
    else if (isAstray || isBegun) first();
  });
  const shown = (query.data?.page[plural] as readonly Row[] | undefined) ?? [];
  const counted = query.data?.counted ?? null;
  const step = (to: string | null, by: 1 | -1) => {
    if (to === null || query.isPlaceholderData) return null;
    // The page before an empty one shows the current last rows, wherever they are.
    const lands = counted === null || shown.length === 0 ? null : counted + by;
    return () => goTo({ page: lands, cursor: to });
  };
  return {
    rows: shown,
    query,
    before: query.data === undefined ? 0 : query.data.before,
    previous: step(previous, -1),
    next: step(next, 1),
    pageSize: rows,
    setPageSize: setRows,
    sort: position.sort,
    setSort,
  };
}

/** The rows of a list, read page after page, up to a number of them. */
export async function readEvery<Row>(
  path: string,
  plural: string,
  most: number,
  signal?: AbortSignal,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const [address = path, query] = path.split('?');
  const filters = Object.fromEntries(new URLSearchParams(query));
  for (let cursor: string | null | undefined; cursor !== null && rows.length < most; ) {
    const asked = listPath(address, { ...filters, limit: String(WHOLE), cursor });
    const page: Page = await request<Page>('GET', asked, undefined, signal);
    rows.push(...(page[plural] as readonly Row[]));
    cursor = page.next;
  }
  return rows;
}

/** The options of a choice: the whole list, read page after page. */
export function useChoices<Row>(
  path: string,
  plural: string,
): { readonly rows: readonly Row[]; readonly query: UseQueryResult<readonly Row[], ApiError> } {
  const query = useQuery<readonly Row[], ApiError>({
    queryKey: [path, 'every'],
    queryFn: ({ signal }) => readEvery<Row>(path, plural, Number.POSITIVE_INFINITY, signal),
  });
  return { rows: query.data ?? [], query };
}
