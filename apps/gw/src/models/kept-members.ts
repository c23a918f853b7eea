import type { Json, KeptMembers } from '../agent/types.ts';

/** Members of an answer that `gw` makes itself when it sends a message back, or that mean nothing there. */
const KNOWN = new Set(['role', 'content', 'refusal', 'tool_calls', 'function_call', 'index', 'id', 'type', 'function']);
const KNOWN_OF_FUNCTION = new Set(['name', 'arguments']);
/** Texts that name something: a later piece replaces them. All other texts come in parts. */
const NAMES = new Set(['type', 'index', 'id', 'format', 'role']);

export type Collected = { [name: string]: Json };

/** Adds the members of a piece that `gw` does not know to those of earlier pieces. */
export function collect(into: Collected, piece: unknown, of: 'message' | 'function' = 'message'): void {
  if (!isObject(piece)) return;
  const known = of === 'message' ? KNOWN : KNOWN_OF_FUNCTION;
  for (const [name, value] of Object.entries(piece))
    if (!known.has(name) && value !== null) into[name] = merge(into[name], value, name);
}

/** The members as they are kept; undefined where there are none. */
export function keptOf(collected: Collected): KeptMembers | undefined {
  return Object.keys(collected).length === 0 ? undefined : collected;
}

/** As engines stream: texts are appended, objects merged, elements of lists merged where they have the same `index`. */
function merge(before: Json | undefined, piece: Json, name: string): Json {
  if (before === undefined || before === null) return piece;
  if (piece === null) return before;
  if (typeof before === 'string' && typeof piece === 'string') return NAMES.has(name) ? piece : before + piece;
  if (Array.isArray(before) && Array.isArray(piece)) return mergeLists(before, piece);
  if (!isObject(before) || !isObject(piece)) return piece;
  const merged: Collected = { ...before };
  for (const [member, value] of Object.entries(piece)) merged[member] = merge(merged[member], value, member);
  return merged;
}

function mergeLists(before: readonly Json[], pieces: readonly Json[]): readonly Json[] {
  const merged = [...before];
  for (const piece of pieces) {
    const at =
      isObject(piece) && typeof piece['index'] === 'number' ? merged.findIndex((one) => isSame(one, piece)) : -1;
    if (at < 0) merged.push(piece);
    else merged[at] = merge(merged[at], piece, '');
  }
  return merged;
}

function isSame(one: Json, other: { readonly [name: string]: Json }): boolean {
  return (
    isObject(one) &&
    one['index'] === other['index'] &&
    (one['type'] ?? other['type']) === (other['type'] ?? one['type'])
  );
}

function isObject(value: unknown): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
