import { askEngine, type Cedar } from './engine.ts';
import { type ParsedPolicy, type PolicyFault, type Position, parsePolicySet, placeFault } from './parse.ts';
import { POLICY_SCHEMA } from './schema.ts';

/** An installable text: its policies, and warnings for the operator that do not prevent the installation. */
export interface SoundPolicySet {
  readonly ok: true;
  readonly policies: readonly ParsedPolicy[];
  readonly warnings: readonly PolicyFault[];
}
export type PolicySetCheck = SoundPolicySet | { readonly ok: false; readonly faults: readonly PolicyFault[] };

/** `line 2, column 12: …`, as the console and the operator's command show it. */
export function describeFault({ line, column, message }: PolicyFault): string {
  return `line ${line}, column ${column}: ${message}`;
}

/**
 * Whether a text may be installed as the authorization policy (roles-17): it parses, holds only `forbid` policies, and
 * type-checks against the published schema. A text without any policy is valid, and lifts every restriction.
 * @throws {PolicyEngineFault} when the engine itself fails on the text
 */
export function checkPolicySet(text: string): PolicySetCheck {
  const parsed = parsePolicySet(text);
  if (!parsed.ok) return parsed;
  const faults = [...permits(parsed.policies), ...findSharedNames(parsed.policies)];
  const answer = askEngine((cedar) => cedar.validate({ schema: POLICY_SCHEMA, policies: { staticPolicies: text } }));
  if (answer.type === 'failure') return { ok: false, faults: answer.errors.map((error) => placeFault(text, error)) };
  faults.push(...distinct(answer.validationErrors.map(({ error }) => placeFault(text, error)).sort(byMessage)));
  if (faults.length > 0) return { ok: false, faults: faults.sort(byPosition) };
  const warnings = answer.validationWarnings.map(({ error }) => placeFault(text, error));
  return { ok: true, policies: parsed.policies, warnings: distinct(warnings).sort(byPosition) };
}

/** The error for a text without a policy: an empty pipe, file or field is usually the result of a failed command. */
const HOLDS_NO_POLICY =
  'the text contains no policy. Did the command that made it fail? To lift every restriction on purpose, use "gatewayctl policy lift", or Lift in the console (POST /api/policies/lift)';

/**
 * Whether a text may be submitted for installation. One without any policy may not: lifting every restriction needs its own
 * command.
 */
export function checkHandedIn(text: string): PolicySetCheck {
  const check = checkPolicySet(text);
  if (!check.ok || check.policies.length > 0) return check;
  return { ok: false, faults: [{ line: 1, column: 1, message: HOLDS_NO_POLICY }] };
}

function permits(policies: readonly ParsedPolicy[]): PolicyFault[] {
  return policies
    .filter(({ tree }) => tree.effect !== 'forbid')
    .map(({ position, name }) => ({
      ...position,
      message: `${name} permits: a policy narrows the role matrix and never widens it, so only forbid is accepted`,
    }));
}

/** The log names the policy that refused, so two policies cannot bear one name. */
function findSharedNames(policies: readonly ParsedPolicy[]): PolicyFault[] {
  const seen = new Set<string>();
  return policies.flatMap(({ name, position }) => {
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [{ ...position, message: `another policy of the set is already called "${name}"` }];
  });
}

/** The engine repeats an error for every action of a policy. One position is shown once. */
function distinct(faults: readonly PolicyFault[]): PolicyFault[] {
  const positions = new Map<string, PolicyFault>();
  for (const fault of faults) {
    const position = `${fault.line}:${fault.column}`;
    if (!positions.has(position)) positions.set(position, fault);
  }
  return [...positions.values()];
}

/** The engine's order of errors varies; sorted, a repeated check differs only where the text has changed. */
function byMessage(one: PolicyFault, other: PolicyFault): number {
  return one.message < other.message ? -1 : Number(one.message > other.message);
}

function byPosition(one: PolicyFault, other: PolicyFault): number {
  return one.line - other.line || one.column - other.column;
}

/** One policy, ready for evaluation. */
export interface CompiledPolicy {
  readonly name: string;
  readonly position: Position;
  readonly text: string;
  readonly tree: Cedar.PolicyJson;
  readonly needs: PolicyNeeds;
  /** All paths that it names are in lower case: they mean the same in capitals. */
  readonly ignoresCase: boolean;
}

/** A policy set ready for requests: the compiled form of one revision, the only part of it that may be cached (roles-18). */
export type CompiledPolicySet = readonly CompiledPolicy[];

/** A text that is in force but may not be: it was written into the database without a check, or for another version. */
export class PolicySetUnusable extends Error {
  override readonly name = 'PolicySetUnusable';
}

/** @throws {PolicySetUnusable} with the first fault and its position */
export function compilePolicySet(text: string): CompiledPolicySet {
  const check = checkPolicySet(text);
  if (!check.ok) {
    const [first] = check.faults;
    throw new PolicySetUnusable(first ? describeFault(first) : 'the policy set is refused');
  }
  return check.policies.map((policy) => {
    const needs = needsOf(policy.tree);
    const namesPaths = needs.context.has('path') || needs.context.has('*');
    return { ...policy, needs, ignoresCase: namesPaths && !namesCapitals(policy.text) };
  });
}

/** Texts that a policy compares a path with. */
const COMPARED = /(?:\blike|[=!]=)\s*"((?:[^"\\]|\\.)*)"|"((?:[^"\\]|\\.)*)"\s*[=!]=/g;

function namesCapitals(text: string): boolean {
  return [...text.matchAll(COMPARED)].some(([, after = '', before = '']) => /\p{Lu}/u.test(after + before));
}

/**
 * The inputs of a policy. Converting a value to the engine's form costs more than the decision (an address 20 µs, an instant 30
 * µs, an entity 30 µs), so a request contains only the inputs of its policies.
 */
interface PolicyNeeds {
  /** Names of context attributes; `*` where the context is taken as a whole. */
  readonly context: ReadonlySet<string>;
  /** The principal's roles, or the attributes of the resource. */
  readonly entities: boolean;
}

const NOTHING: PolicyNeeds = { context: new Set(), entities: false };

function needsOf({ principal, conditions }: Pick<Cedar.PolicyJson, 'principal' | 'conditions'>): PolicyNeeds {
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
