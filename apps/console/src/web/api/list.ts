import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import type { ApiError } from './request.ts';
import { request } from './request.ts';

/** A page of a list: the rows under their plural, and the cursor of the page after it (decisions §14). */
type Page = Readonly<Record<string, unknown>> & { readonly next: string | null };

export interface List<Row> {
  readonly rows: readonly Row[];
  readonly query: UseInfiniteQueryResult<InfiniteData<Page>, ApiError>;
}

/** Filters that are set; an empty one asks nothing. */
export type Filters = Readonly<Record<string, string | undefined>>;

/** The address of a list with its filters. */
export function listPath(path: string, filters: Filters = {}): string {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (value !== undefined && value !== '') words.set(name, value);
  return words.size === 0 ? path : `${path}?${words}`;
}

/** A list of the API, page by page. `plural` names the member that holds the rows. */
export function useList<Row>(path: string, plural: string, filters: Filters = {}): List<Row> {
  const query = useInfiniteQuery<Page, ApiError, InfiniteData<Page>, readonly unknown[], string | null>({
    queryKey: [path, filters],
    queryFn: ({ pageParam, signal }) =>
      request<Page>(
        'GET',
        listPath(path, { ...filters, ...(pageParam === null ? {} : { cursor: pageParam }) }),
        undefined,
        signal,
      ),
    initialPageParam: null,
    getNextPageParam: ({ next }) => next,
  });
  return { rows: query.data?.pages.flatMap((page) => page[plural] as readonly Row[]) ?? [], query };
}
