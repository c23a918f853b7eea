import { useState } from 'react';
import { usePlace } from './use-place.ts';

/** The most rows the API gives at once (decisions §17). */
export const WHOLE = 500;
export const PAGE_SIZES = [50, 100, WHOLE] as const;

/** Which page of a list is shown. */
export interface Position {
  readonly rows: number;
  /** Counted from 1. */
  readonly page: number;
  /** Where the page begins, as the API said it; absent on the first. */
  readonly cursor: string | undefined;
}

export interface Positioned {
  readonly position: Position;
  readonly setRows: (rows: number) => void;
  /** The page before; null on the first. Where only the page itself is known, from an address, it is the first one. */
  readonly previous: (() => void) | null;
  readonly next: (cursor: string) => void;
  readonly first: () => void;
}

interface Local {
  readonly of: string;
  readonly trail: readonly string[];
}

/** The page of a list in a dialog: nobody comes back to it. It begins anew where something else is asked for. */
export function useLocalPosition(asked: string): Positioned {
  const [rows, setRows] = useState<number>(PAGE_SIZES[0]);
  const [kept, setKept] = useState<Local>({ of: asked, trail: [] });
  const trail = kept.of === asked ? kept.trail : [];
  const go = (to: readonly string[]) => setKept({ of: asked, trail: to });
  return {
    position: { rows, page: trail.length + 1, cursor: trail.at(-1) },
    setRows: (many) => (setRows(many), go([])),
    previous: trail.length === 0 ? null : () => go(trail.slice(0, -1)),
    next: (cursor) => go([...trail, cursor]),
    first: () => go([]),
  };
}

/** The beginnings of the pages up to this one, as they are kept beside the address; null where they are not of this page. */
function trailOf(key: string, { page, cursor }: Omit<Position, 'rows'>): readonly string[] | null {
  if (cursor === undefined) return [];
  const kept: unknown = (history.state as Readonly<Record<string, unknown>> | null)?.[key];
  return Array.isArray(kept) && kept.length === page - 1 && kept.at(-1) === cursor ? (kept as string[]) : null;
}

/**
 * The page of a list, in the address: `page=3`, where it begins as `at`, and how many rows it has as `rows`, each after the list's name
 * where a tab has several. The ways back are kept beside the step, so that they survive a page that is loaded again.
 */
export function useAddressPosition(name: string): Positioned {
  const { place, choose } = usePlace();
  const called = (word: string) => (name === '' ? word : `${name}.${word}`);
  const word = (of: string) => place.words.get(called(of));
  const many = PAGE_SIZES.find((size) => String(size) === word('rows')) ?? PAGE_SIZES[0];
  const counted = /^[1-9]\d{0,6}$/.test(word('page') ?? '') ? Number(word('page')) : 1;
  const at = word('at');
  const isPlaced = counted > 1 && at !== undefined;
  const shown = isPlaced ? { page: counted, cursor: at } : { page: 1, cursor: undefined };
  const key = called('trail');
  const trail = trailOf(key, shown);
  const go = (to: readonly string[], replace = false) =>
    choose(
      { [called('page')]: to.length === 0 ? null : String(to.length + 1), [called('at')]: to.at(-1) ?? null },
      { replace, beside: { [key]: to } },
    );
  return {
    position: { rows: many, ...shown },
    setRows: (rows) =>
      choose({
        [called('rows')]: rows === PAGE_SIZES[0] ? null : String(rows),
        [called('page')]: null,
        [called('at')]: null,
      }),
    previous: shown.cursor === undefined ? null : () => go(trail?.slice(0, -1) ?? []),
    next: (cursor) =>
      trail === null
        ? choose({ [called('page')]: String(shown.page + 1), [called('at')]: cursor }, { beside: { [key]: null } })
        : go([...trail, cursor]),
    first: () => go([], true),
  };
}
