import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiError, request } from './request.ts';

/** A page of a list: the rows under their plural, and the cursor of the page after it (decisions §14). */
type Page = Readonly<Record<string, unknown>> & { readonly next: string | null };

/** A page with how many rows lie before it: what is still shown while another one is read keeps its own number. */
interface Placed {
  readonly page: Page;
  readonly before: number;
}

/** One page of a list at a time, so that a table of any size holds few rows. */
export interface List<Row> {
  readonly rows: readonly Row[];
  readonly query: UseQueryResult<Placed, ApiError>;
  /** Rows of the pages before this one. */
  readonly before: number;
  /** Leads to the page before and after; null where there is none. */
  readonly previous: (() => void) | null;
  readonly next: (() => void) | null;
  readonly pageSize: number;
  readonly setPageSize: (rows: number) => void;
}

/** Filters that are set; an empty one asks nothing. */
export type Filters = Readonly<Record<string, string | undefined>>;

/** The most rows the API gives at once (decisions §17). */
const WHOLE = 500;
export const PAGE_SIZES = [50, 100, WHOLE] as const;

/** The address of a list with its filters. */
export function listPath(path: string, filters: Filters = {}): string {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (value !== undefined && value !== '') words.set(name, value);
  return words.size === 0 ? path : `${path}?${words}`;
}

/**
 * A list of the API, page by page. `plural` names the member that holds the rows. Other filters begin at the first page again; a
 * page that is being read leaves the one before it on the screen.
 */
export function useList<Row>(path: string, plural: string, filters: Filters = {}): List<Row> {
  const [pageSize, setPageSize] = useState<number>(PAGE_SIZES[0]);
  const asked = listPath(path, { ...filters, limit: String(pageSize) });
  const [way, setWay] = useState<{ of: string; cursors: readonly string[] }>({ of: asked, cursors: [] });
  const cursors = way.of === asked ? way.cursors : [];
  const cursor = cursors.at(-1);
  const query = useQuery<Placed, ApiError>({
    queryKey: [asked, cursor],
    queryFn: async ({ signal }) => ({
      page: await request<Page>(
        'GET',
        listPath(path, { ...filters, limit: String(pageSize), cursor }),
        undefined,
        signal,
      ),
      before: cursors.length * pageSize,
    }),
    placeholderData: keepPreviousData,
  });
  const go = (to: readonly string[]) => setWay({ of: asked, cursors: to });
  const after = query.data?.page.next ?? null;
  return {
    rows: (query.data?.page[plural] as readonly Row[] | undefined) ?? [],
    query,
    before: query.data?.before ?? 0,
    previous: cursors.length === 0 ? null : () => go(cursors.slice(0, -1)),
    next: after === null || query.isPlaceholderData ? null : () => go([...cursors, after]),
    pageSize,
    setPageSize,
  };
}

/** What a choice is made from: everything the list holds, read page after page. */
export function useChoices<Row>(
  path: string,
  plural: string,
): { readonly rows: readonly Row[]; readonly query: UseQueryResult<readonly Row[], ApiError> } {
  const query = useQuery<readonly Row[], ApiError>({
    queryKey: [path, 'every'],
    queryFn: async ({ signal }) => {
      const rows: Row[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const asked = listPath(path, { limit: String(WHOLE), cursor });
        const page: Page = await request<Page>('GET', asked, undefined, signal);
        rows.push(...(page[plural] as readonly Row[]));
        cursor = page.next;
      }
      return rows;
    },
  });
  return { rows: query.data ?? [], query };
}
