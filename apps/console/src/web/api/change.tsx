import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import {
  type MutateOptions,
  type QueryClient,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError, report, reportFailure, request } from './request.ts';

const isObject = (data: unknown): data is object => typeof data === 'object' && data !== null;

/** What was read, without the row of this id; the same object if it has no such row. */
export function withoutRow(data: unknown, id: string): unknown {
  if (Array.isArray(data)) {
    const kept = data.filter((row) => !(isObject(row) && 'id' in row && row.id === id));
    return kept.length === data.length ? data : kept;
  }
  if (!isObject(data)) return data;
  const members = Object.entries(data).map(([name, member]) => {
    // A page of a list, or its rows. Members of rows are not searched.
    const isSearched = Array.isArray(member) || name === 'page';
    return [name, isSearched ? withoutRow(member, id) : member, member] as const;
  });
  return members.some(([, now, before]) => now !== before)
    ? Object.fromEntries(members.map(([name, now]) => [name, now]))
    : data;
}

/** Removes the row of a deleted object from every list that was read: reloading them takes longer than the deletion. */
function removeFromLists(queries: QueryClient, path: string): void {
  const id = path.split('/').at(-1) ?? '';
  queries.setQueriesData({}, (data: unknown) => withoutRow(data, id));
}

export interface ChangeCall {
  readonly method: 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  /** The message when it is done: a sentence, or a function of the answer. */
  readonly done?: string | ((answer: never) => string);
  /** Undoes it, offered for a while beside that sentence; null if this answer leaves nothing to undo. */
  readonly undo?: ChangeCall | ((answer: never) => ChangeCall | null);
}

type Options<Answer> = MutateOptions<Answer, ApiError, ChangeCall> & {
  /** Called with the answer, before the lists are reloaded; `onSuccess` is called after. */
  readonly onAnswer?: (answer: Answer, reloaded: Promise<void>) => void;
};

/** A change that may be sent, is under way, or was refused. */
export type Changing<Answer> = Omit<UseMutationResult<Answer, ApiError, ChangeCall>, 'mutate'> & {
  readonly mutate: (change: ChangeCall, options?: Options<Answer>) => void;
  /**
   * Whether it is under way now, where `isPending` is the state that the page shows: for callers that must not lose its answer.
   */
  readonly isUnderWay: () => boolean;
};

const madeOf = <Made,>(made: Made | ((answer: never) => Made), answer: unknown): Made =>
  typeof made === 'function' ? (made as (answer: unknown) => Made)(answer) : made;

async function takeBack({ method, path, body, done }: ChangeCall): Promise<string> {
  await request(method, path, body);
  return typeof done === 'string' ? done : 'Undone.';
}

/** How long a change can be undone; what was deleted can be restored for a minute. */
const UNDO_MILLISECONDS = 15_000;
const RESTORE_MILLISECONDS = 60_000;

/** Deletes a declared thing. Undone, it is declared once more with all its members; its id is another one. */
export function deletion(what: string, path: string, { id, ...body }: { readonly id: string }): ChangeCall {
  return {
    method: 'DELETE',
    path: `${path}/${id}`,
    done: `${what} deleted.`,
    undo: { method: 'POST', path, body, done: `${what} restored.` },
  };
}

/**
 * Sends a change, one at a time, and reloads every list that may show it. Its error is shown next to the control; if the row,
 * dialog or page was removed before, as a notification.
 */
export function useChange<Answer = unknown>(): Changing<Answer> {
  const queries = useQueryClient();
  /** A refusal that nobody could read yet. */
  const unshown = useRef<ApiError | null>(null);
  /** Whether the component is still mounted and waits for the result. */
  const waits = useRef(true);
  /** The change that is under way: known at once, while the page shows it a moment later. */
  const sent = useRef<ChangeCall | null>(null);
  const onAnswer = useRef<Options<Answer>['onAnswer']>(undefined);
  const mutation = useMutation<Answer, ApiError, ChangeCall>({
    mutationFn: ({ method, path, body }) => request<Answer>(method, path, body),
    onMutate: () => {
      waits.current = true;
    },
    onSuccess: (answer, change) => {
      const { done, undo } = change;
      if (change.method === 'DELETE') removeFromLists(queries, change.path);
      const reloaded = queries.invalidateQueries();
      if (sent.current === change) onAnswer.current?.(answer, reloaded);
      if (done === undefined) return reloaded;
      const message = madeOf<string>(done, answer);
      const back = undo === undefined ? null : madeOf<ChangeCall | null>(undo, answer);
      if (back === null) report(message);
      else
        showUndo(
          message,
          () => takeBack(back),
          change.method === 'DELETE' ? RESTORE_MILLISECONDS : UNDO_MILLISECONDS,
          () => queries.invalidateQueries(),
        );
      return reloaded;
    },
    onError: (error) => {
      if (waits.current) unshown.current = error;
      else reportFailure(error.message);
      // A refused change may have side effects to reload too: the attempt, or the conflicting object.
      return queries.invalidateQueries();
    },
    onSettled: (_answer, _error, change) => {
      if (sent.current === change) sent.current = null;
    },
  });
  const { error } = mutation;
  useEffect(() => {
    if (error !== null) unshown.current = null;
  }, [error]);
  const leave = useRef(() => {
    waits.current = false;
    if (unshown.current !== null) reportFailure(unshown.current.message);
    unshown.current = null;
  });
  useEffect(() => leave.current, []);
  const reset = () => {
    sent.current = null;
    leave.current();
    mutation.reset();
  };
  // A button pressed twice sends one request: keys rotated twice are shown once, and the shown key would be the revoked one.
  const mutate = (change: ChangeCall, options: Options<Answer> = {}) => {
    if (sent.current !== null) return;
    sent.current = change;
    onAnswer.current = options.onAnswer;
    mutation.mutate(change, options);
  };
  return { ...mutation, mutate, reset, isUnderWay: () => sent.current !== null };
}

/**
 * The members of a body that the form changed; the rest may have been changed by another administrator meanwhile. Null if none
 * was. Members are texts, numbers, booleans, null, and lists of them.
 */
export function differenceOf<Body extends object>(began: Body, now: Body): Partial<Body> | null {
  const before = new Map(Object.entries(began));
  const changed = Object.entries(now).filter(([name, value]) => !isSame(before.get(name), value));
  return changed.length === 0 ? null : (Object.fromEntries(changed) as Partial<Body>);
}

function isSame(before: unknown, now: unknown): boolean {
  if (!Array.isArray(before) || !Array.isArray(now)) return Object.is(before, now);
  return before.length === now.length && before.every((one, index) => Object.is(one, now[index]));
}

/** The change from the stored object to the form. Null if nothing was changed in the form. */
export function correction<Body extends object>(what: string, path: string, began: Body, now: Body): ChangeCall | null {
  const body = differenceOf(began, now);
  return body && { method: 'PATCH', path, body, done: `${what} saved. It takes effect with the next call.` };
}

/**
 * Reports a change, with a button that undoes it.
 * @param takeBack resolves with the sentence to show
 */
export function showUndo(
  message: string,
  takeBack: () => Promise<string>,
  autoClose: number,
  done: () => unknown,
): void {
  const id = `undo ${crypto.randomUUID?.() ?? Math.random()}`;
  let isAsked = false;
  const undo = async () => {
    if (isAsked) return;
    isAsked = true; // it is still on the screen for a moment, where a second press would undo twice
    notifications.hide(id);
    try {
      report(await takeBack());
    } catch (error) {
      const said = error instanceof ApiError ? error.message : String(error);
      reportFailure(`It was not undone: ${said}`);
    }
    done();
  };
  notifications.show({
    id,
    color: 'teal',
    autoClose,
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm">{message}</Text>
        <Button size="compact-sm" variant="default" style={{ flexShrink: 0 }} onClick={() => void undo()}>
          Undo
        </Button>
      </Group>
    ),
  });
}

/** Things of one request: few enough that Stop is quick. */
const BATCH = 100;
/** How long a change of many can be undone. */
const UNDO_MANY_MILLISECONDS = 60_000;

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
        UNDO_MANY_MILLISECONDS,
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
