import type { ParsedPolicy } from './parse.ts';

/** A name that a policy compares with, and its position. */
export interface MentionedName {
  readonly type: string;
  readonly id: string;
  readonly line: number;
  readonly column: number;
}

/** Every entity that policies name, once each, in the order of the text. */
export function findMentionedNames(policies: readonly ParsedPolicy[]): readonly MentionedName[] {
  const found = new Map<string, MentionedName>();
  for (const policy of policies) {
    for (const { type, id } of entitiesIn(policy.tree)) {
      const name = `${type}::${JSON.stringify(id)}`;
      if (!found.has(name)) found.set(name, { type, id, ...placeOf(policy, name) });
    }
  }
  return [...found.values()];
}

/** Cedar's JSON writes an entity as an object of two texts everywhere; no other node has these two members. */
function entitiesIn(node: unknown): readonly { readonly type: string; readonly id: string }[] {
  if (Array.isArray(node)) return node.flatMap(entitiesIn);
  if (typeof node !== 'object' || node === null) return [];
  const { type, id } = node as Readonly<Record<string, unknown>>;
  if (typeof type === 'string' && typeof id === 'string') return [{ type, id }];
  return Object.values(node).flatMap(entitiesIn);
}

/** The start of the name; where it is written in another way (escapes, spaces), the policy's own position. */
function placeOf({ text, position }: ParsedPolicy, name: string): { readonly line: number; readonly column: number } {
  const at = text.indexOf(name);
  if (at < 0) return { line: position.line, column: position.column };
  const before = text.slice(0, at).split('\n');
  const last = before.at(-1) ?? '';
  return before.length === 1
    ? { line: position.line, column: position.column + last.length }
    : { line: position.line + before.length - 1, column: last.length + 1 };
}
