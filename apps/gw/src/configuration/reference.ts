import { WrongUsage } from '../process/fault.ts';
import type { Fault, Position } from './position.ts';

/** A variable that a configuration takes a value from: `${{ env.NAME }}`. */
export interface Reference extends Position {
  readonly name: string;
}

const REFERENCE = /\$\{\{\s*env\.([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;

/** The references in a text, and one fault where something in it only looks like one. */
export function referencesIn(at: Position & { readonly text: string }): {
  readonly references: readonly Reference[];
  readonly faults: readonly Fault[];
} {
  const { line, column, text } = at;
  const references = [...text.matchAll(REFERENCE)].map(([, name = '']) => ({ line, column, name }));
  if (!text.replaceAll(REFERENCE, '').includes('${{')) return { references, faults: [] };
  const message = 'A reference is written in a form that is not known.';
  return { references, faults: [{ line, column, path: null, message, fix: 'Write ${{ env.NAME }}.' }] };
}

/** Names of the variables that a text refers to. */
export function variablesIn(text: string): readonly string[] {
  return [...text.matchAll(REFERENCE)].map(([, name = '']) => name);
}

/** How a key is given. */
export type Given =
  | { readonly as: 'reference'; readonly variable: string }
  | { readonly as: 'literal' }
  /** Text around a reference, or several: never a key as the gateway issues it. */
  | { readonly as: 'mixture' }
  /** A variable in another notation than ours: it would be sent literally. */
  | { readonly as: 'other notation' };

export function parseReference(text: string): Given {
  const names = variablesIn(text);
  const rest = text.replaceAll(REFERENCE, '').trim();
  if (names.length === 1 && rest === '') return { as: 'reference', variable: names[0] as string };
  if (names.length > 0) return { as: 'mixture' };
  return /^\$|^%\w+%$|\{\{/.test(rest) ? { as: 'other notation' } : { as: 'literal' };
}

/** A value with the references in all of its texts replaced. Every variable must be set. */
export function withValues<T>(value: T, variables: ReadonlyMap<string, string>): T {
  const replaced = (one: unknown): unknown => {
    if (typeof one === 'string') return one.replaceAll(REFERENCE, (_, name: string) => variables.get(name) ?? '');
    if (Array.isArray(one)) return one.map(replaced);
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([name, each]) => [name, replaced(each)]));
  };
  return replaced(value) as T;
}

/** `owner/name`, as registries name assistants, agents and servers. */
export function looksLikeSlug(word: string): boolean {
  return /^@?[\w.-]+\/[\w.-]+$/.test(word) && !/^\.{1,2}\//.test(word);
}

/** Refuses a name of a registry with its cause. Other words are left to the caller. */
export function refuseName(option: string, word: string): void {
  if (!looksLikeSlug(word)) return;
  throw new WrongUsage(
    `${option} ${word}: there is no such file, and names of a registry do not resolve, because there is no registry. Give the path of a file.`,
  );
}
