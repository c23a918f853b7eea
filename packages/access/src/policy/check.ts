import { askEngine } from './engine.ts';
import { type ParsedPolicy, type PolicyFault, parsePolicySet, placeFault } from './parse.ts';
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
