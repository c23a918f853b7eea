import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Change } from './change.ts';
import { ApiError, request } from './request.ts';
import { showUndo } from './undo.tsx';

/** One of several changes. */
export interface One<Answer> {
  readonly name: string;
  readonly change: Change;
  readonly undo: (answer: Answer) => Change;
}

/** How one of them ended. */
export interface Ended<Answer> {
  readonly name: string;
  readonly answer: Answer | null;
  readonly fault: string | null;
}

/** How long several changes can be undone. */
const UNDO_MILLISECONDS = 60_000;

const sentenceOf = (error: unknown): string => {
  if (!(error instanceof ApiError)) return String(error);
  const fields = Object.entries(error.fields).map(([field, fault]) => `${field} ${fault}`);
  return fields.length > 0 ? `${fields.join(', ')}.` : error.message;
};

/** Undoes the changes, the last first; reports those that could not be undone. */
async function takeBack(changes: readonly { readonly name: string; readonly change: Change }[]): Promise<string> {
  const left: string[] = [];
  for (const { name, change } of changes.toReversed())
    await request(change.method, change.path, change.body).catch(() => left.push(name));
  const done = changes.length - left.length;
  return left.length === 0 ? `${done} undone.` : `${done} undone. Not undone: ${left.join(', ')}.`;
}

/**
 * Sends several changes one after the other, each with its own entry in the administration log. One that is refused does not stop
 * the others.
 */
export function useSeveral<Answer>() {
  const queries = useQueryClient();
  const [ended, setEnded] = useState<readonly Ended<Answer>[]>([]);
  const [isUnderWay, setUnderWay] = useState(false);
  const run = async (
    all: readonly One<Answer>[],
    done: (count: number) => string,
  ): Promise<readonly Ended<Answer>[]> => {
    const results: Ended<Answer>[] = [];
    const made: { name: string; change: Change }[] = [];
    setUnderWay(true);
    setEnded([]);
    for (const { name, change, undo } of all) {
      try {
        const answer = await request<Answer>(change.method, change.path, change.body);
        made.push({ name, change: undo(answer) });
        results.push({ name, answer, fault: null });
      } catch (error) {
        results.push({ name, answer: null, fault: sentenceOf(error) });
      }
      setEnded([...results]);
    }
    setUnderWay(false);
    await queries.invalidateQueries();
    if (made.length > 0)
      showUndo(
        done(made.length),
        () => takeBack(made),
        UNDO_MILLISECONDS,
        () => queries.invalidateQueries(),
      );
    return results;
  };
  return { run, ended, isUnderWay, forget: () => setEnded([]) };
}
