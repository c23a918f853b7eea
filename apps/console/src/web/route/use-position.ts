import { useState } from 'react';
import { useRoute } from './use-route.ts';

/** The most rows the API gives at once (console-9). */
export const WHOLE = 500;
export const PAGE_SIZES = [50, 100, WHOLE] as const;

/** Which page of a list is shown. */
export interface Position {
  readonly rows: number;
  /** Counted from 1; null if the number of previous pages is unknown. */
  readonly page: number | null;
  /** The cursor of the page, from the API; absent on the first. */
  readonly cursor: string | undefined;
  /** The column it is sorted by, with `-` before it for the greatest first; null for the list's own order. */
  readonly sort: string | null;
}

/** A page by its number and cursor. */
type Numbered = Pick<Position, 'page' | 'cursor'>;

/** A word of the address that may name a column. */
const SORT = /^-?[a-zA-Z]{1,40}$/;

export interface Positioned {
  readonly position: Position;
  readonly setRows: (rows: number) => void;
  /** Another order begins at the first page again. */
  readonly setSort: (sort: string | null) => void;
  readonly goTo: (page: Numbered) => void;
  /** To the first page, if the address turns out to denote it, without a new history entry. */
  readonly first: () => void;
}

const FIRST = { page: 1, cursor: undefined };

/** The page of a list in a dialog, which is not in the address. It starts again with another query. */
export function useLocalPosition(asked: string): Positioned {
  const [rows, setRows] = useState<number>(PAGE_SIZES[0]);
  const [sort, setSort] = useState<string | null>(null);
  const [kept, setKept] = useState<Numbered & { readonly of: string }>({ of: asked, ...FIRST });
  const { page, cursor } = kept.of === asked ? kept : FIRST;
  const goTo = (to: Numbered) => setKept({ of: asked, ...to });
  return {
    position: { rows, page, cursor, sort },
    setRows: (many) => (setRows(many), goTo(FIRST)),
    setSort: (by) => (setSort(by), goTo(FIRST)),
    goTo,
    first: () => goTo(FIRST),
  };
}

/**
 * The page of a list, in the address: `page=3`, its cursor as `at`, its number of rows as `rows`, and its order as `sort`, each
 * after the list's name where a tab has several.
 */
export function useAddressPosition(name: string): Positioned {
  const { route, setParams } = useRoute();
  const nameOf = (param: string) => (name === '' ? param : `${name}.${param}`);
  const param = (of: string) => route.params.get(nameOf(of));
  const many = PAGE_SIZES.find((size) => String(size) === param('rows')) ?? PAGE_SIZES[0];
  const counted = /^[1-9]\d{0,6}$/.test(param('page') ?? '') ? Number(param('page')) : 1;
  const cursor = param('at');
  const sort = SORT.test(param('sort') ?? '') ? (param('sort') ?? null) : null;
  const pageParams = (to: Numbered) => ({
    [nameOf('page')]: to.cursor === undefined || to.page === null ? null : String(to.page),
    [nameOf('at')]: to.cursor ?? null,
  });
  return {
    // The first page has no cursor: a page with a cursor follows others, even if their number is unknown.
    position: { rows: many, sort, ...(cursor === undefined ? FIRST : { page: counted > 1 ? counted : null, cursor }) },
    setRows: (rows) =>
      setParams({ [nameOf('rows')]: rows === PAGE_SIZES[0] ? null : String(rows), ...pageParams(FIRST) }),
    setSort: (by) => setParams({ [nameOf('sort')]: by, ...pageParams(FIRST) }),
    goTo: (to) => setParams(pageParams(to)),
    first: () => setParams(pageParams(FIRST), { replace: true }),
  };
}
