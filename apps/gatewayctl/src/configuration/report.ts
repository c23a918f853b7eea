import { type Context, print } from '../context/context.ts';
import { lineOf } from './change.ts';
import type { Plan } from './differences.ts';

/** Prints the changes of a plan, one a line, and their total. */
export async function report(
  context: Context,
  { changes, kept }: Plan,
  outcome: 'different' | 'applied' | 'dry run',
): Promise<void> {
  const listed = changes.map(({ action, kind, name, members }) => ({ action, kind, name, members }));
  const extra =
    kept === 0 ? [] : [`Not in the file and kept: ${kept}. --prune deletes what the file's sections do not list.`];
  const result = { changes: listed, kept, applied: outcome === 'applied' };
  await print(context, result, [...changes.map(lineOf), sentenceOf(changes.length, outcome), ...extra]);
}

function sentenceOf(count: number, outcome: 'different' | 'applied' | 'dry run'): string {
  const changes = count === 1 ? '1 change' : `${count} changes`;
  if (outcome === 'different') return count === 0 ? 'No differences.' : `${changes}: apply would make the instance so.`;
  if (count === 0) return 'Nothing to change.';
  return outcome === 'applied' ? `Applied ${changes}.` : `Dry run: ${changes}, undone again.`;
}
