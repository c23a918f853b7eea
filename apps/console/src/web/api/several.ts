import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiError, request } from './request.ts';
import { showUndo } from './undo.tsx';

/** Things of one request: few enough that Stop is quick. */
const BATCH = 100;
/** How long a change of many can be undone. */
const UNDO_MILLISECONDS = 60_000;

/** A route that changes many things, each by itself, and answers `results` in the order given. */
export interface Batch<Item> {
  readonly path: string;
  readonly body: (items: readonly Item[]) => object;
}

/** How the change of one of them ended. */
export interface Ended<Item> {
  readonly item: Item;
  /** As the server names it; `refused` with the reason. */
  readonly outcome: string;
  readonly error?: string;
}

interface BatchAnswer {
  readonly results: readonly { readonly outcome: string; readonly error?: string }[];
}

/** Sends a batch route everything, until all is sent, a request fails, or `isStopped` says so. */
async function sendAll<Item>(
  { path, body }: Batch<Item>,
  items: readonly Item[],
  onEnded: (ended: readonly Ended<Item>[]) => void,
  isStopped: () => boolean,
): Promise<ApiError | null> {
  for (let at = 0; at < items.length && !isStopped(); at += BATCH) {
    const some = items.slice(at, at + BATCH);
    try {
      const { results } = await request<BatchAnswer>('POST', path, body(some));
      onEnded(
        some.map((item, nth) => ({ item, ...(results[nth] ?? { outcome: 'refused', error: 'No result came.' }) })),
      );
    } catch (error) {
      return error instanceof ApiError ? error : new ApiError(0, String(error));
    }
  }
  return null;
}

const isRefused = ({ outcome }: { readonly outcome: string }): boolean => outcome === 'refused';
/** Outcomes that left everything as it was: there is nothing to undo. */
const UNCHANGED = new Set(['refused', 'held', 'unchanged']);

/** Changes many things in batches that can be stopped and undone. Each has its own entry in the administration log. */
export function useSeveral<Item>(nameOf: (item: Item) => string) {
  const queries = useQueryClient();
  const [ended, setEnded] = useState<readonly Ended<Item>[]>([]);
  const [error, setError] = useState<ApiError | null>(null);
  const [state, setState] = useState<'ready' | 'running' | 'ended'>('ready');
  const isStopped = useRef(false);

  async function takeBack(undo: Batch<Item>, items: readonly Item[]): Promise<string> {
    const undone: Ended<Item>[] = [];
    const failure = await sendAll(
      undo,
      items,
      (some) => undone.push(...some),
      () => false,
    );
    const done = undone.filter((one) => !isRefused(one)).map(({ item }) => item);
    if (done.length === items.length) return `${done.length} undone.`;
    const left = items.filter((item) => !done.includes(item)).map(nameOf);
    const more = left.length > 10 ? ` and ${left.length - 10} others` : '';
    return `${done.length} undone. Not undone: ${left.slice(0, 10).join(', ')}${more}.${failure === null ? '' : ` ${failure.message}`}`;
  }

  /** @param done the sentence for a number of changed things */
  async function run(
    items: readonly Item[],
    { make, undo }: { readonly make: Batch<Item>; readonly undo: Batch<Item> },
    done: (count: number) => string,
  ): Promise<boolean> {
    isStopped.current = false;
    setState('running');
    setEnded([]);
    setError(null);
    const results: Ended<Item>[] = [];
    const failure = await sendAll(
      make,
      items,
      (some) => {
        results.push(...some);
        setEnded([...results]);
      },
      () => isStopped.current,
    );
    setError(failure);
    setState('ended');
    await queries.invalidateQueries();
    const changed = results.filter(({ outcome }) => !UNCHANGED.has(outcome)).map(({ item }) => item);
    if (changed.length > 0)
      showUndo(
        done(changed.length),
        () => takeBack(undo, changed),
        UNDO_MILLISECONDS,
        () => queries.invalidateQueries(),
      );
    return results.length === items.length && !results.some(isRefused);
  }

  return {
    run,
    ended,
    error,
    state,
    stop: () => {
      isStopped.current = true;
    },
  };
}
