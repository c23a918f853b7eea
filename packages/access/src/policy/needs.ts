import type { Cedar } from './engine.ts';

/**
 * The inputs of a policy. Converting a value to the engine's form costs more than the decision (an address 20 µs, an instant 30
 * µs, an entity 30 µs), so a request contains only the inputs of its policies.
 */
export interface PolicyNeeds {
  /** Names of context attributes; `*` where the context is taken as a whole. */
  readonly context: ReadonlySet<string>;
  /** The principal's roles, or the attributes of the resource. */
  readonly entities: boolean;
}

const NOTHING: PolicyNeeds = { context: new Set(), entities: false };

export function needsOf({ principal, conditions }: Pick<Cedar.PolicyJson, 'principal' | 'conditions'>): PolicyNeeds {
  const own = conditions.map(({ body }) => needsOfNode(body));
  const scope = principal.op === 'in' || (principal.op === 'is' && principal.in !== undefined);
  return union([...own, { context: NOTHING.context, entities: scope }]);
}

export function union(all: readonly PolicyNeeds[]): PolicyNeeds {
  return {
    context: new Set(all.flatMap(({ context }) => [...context])),
    entities: all.some(({ entities }) => entities),
  };
}

/** Walks a tree without knowing every form of it: an unknown form counts as a need. */
function needsOfNode(node: unknown): PolicyNeeds {
  if (Array.isArray(node)) return union(node.map(needsOfNode));
  if (typeof node !== 'object' || node === null) return NOTHING;
  return union(Object.entries(node).map(([key, value]) => needsOfMember(key, value)));
}

function needsOfMember(key: string, value: unknown): PolicyNeeds {
  if (key === 'Value') return NOTHING;
  if (key === 'Var') return value === 'context' ? { context: new Set(['*']), entities: false } : NOTHING;
  if (key === '.' || key === 'has') {
    const attribute = attributeOfContext(value);
    if (attribute !== null) return { context: new Set([attribute]), entities: false };
    return { context: needsOfNode(value).context, entities: true };
  }
  const inside = needsOfNode(value);
  return key === 'in' ? { context: inside.context, entities: true } : inside;
}

/** The attribute's name in `context.<name>` or `context has <name>`; null for everything else. */
function attributeOfContext(access: unknown): string | null {
  const { left, attr } = access as { left?: { Var?: unknown }; attr?: unknown };
  if (left?.Var !== 'context') return null;
  const name: unknown = Array.isArray(attr) ? attr[0] : attr;
  return typeof name === 'string' ? name : null;
}
