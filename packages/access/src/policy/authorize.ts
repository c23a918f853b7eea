import { createHash, randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { matrixGrants, type Role, roleOf } from '@gateway/contract';
import { type CompiledPolicy, type CompiledPolicySet, union } from './check.ts';
import { askEngine, type Cedar, PolicyEngineFault } from './engine.ts';
import type { Position } from './parse.ts';
import { readingsOf } from './readings.ts';
import { refutes } from './refute.ts';
import { actionOf, type EntityName, type PolicyRequest, plain, principalOf, resourceOf, rolesOf } from './request.ts';

/** Number of policy selections the engine caches. It can replace one, but never frees one. */
const SLOTS = 64;

const held = new WeakMap<object, Map<string, string>>();
const serials = new WeakMap<CompiledPolicy, number>();
let lastSerial = 0;

/** The engine denies where nothing permits, so a set of forbids needs one permit as its base: the matrix has granted already. */
const BASELINE = { baseline: 'permit(principal, action, resource);' };

/** Passes a selection of policies to the engine once, and returns its name there. Policies are named by their index. */
function preparePolicies(cedar: typeof Cedar, policies: readonly CompiledPolicy[]): string {
  const slots = slotsOf(cedar);
  const key = policies.map(serialOf).join(' ');
  const known = slots.get(key);
  const slot = known ?? (slots.size < SLOTS ? `selection ${slots.size}` : takeOldest(slots));
  slots.delete(key);
  if (known === undefined) {
    const texts = Object.fromEntries(policies.map(({ text }, index) => [String(index), text]));
    const answer = cedar.preparsePolicySet(slot, { staticPolicies: { ...texts, ...BASELINE } });
    if (answer.type === 'failure') throw new Error(answer.errors[0]?.message);
  }
  slots.set(key, slot); // last in the map: used most recently
  return slot;
}

function slotsOf(cedar: typeof Cedar): Map<string, string> {
  const slots = held.get(cedar) ?? new Map<string, string>();
  held.set(cedar, slots);
  return slots;
}

function takeOldest(slots: Map<string, string>): string {
  const [oldest] = slots;
  if (!oldest) throw new Error('no selection is cached');
  slots.delete(oldest[0]);
  return oldest[1];
}

function serialOf(policy: CompiledPolicy): number {
  const serial = serials.get(policy) ?? (lastSerial += 1);
  serials.set(policy, serial);
  return serial;
}

type Scope = Pick<Cedar.PolicyJson, 'principal' | 'action' | 'resource'>;

/**
 * Whether a policy's head (`principal == …, action == …, resource is …`) fits a request. A policy that does not fit can neither
 * forbid nor err, so the engine need not evaluate it; most policies name other subjects or actions. A property test compares this
 * with the engine's own decision on the whole set.
 */
export function scopeFits({ principal, action, resource }: Scope, request: PolicyRequest): boolean {
  return (
    actionFits(action, actionOf(request)) &&
    entityFits(principal, principalOf(request), rolesOf(request)) &&
    entityFits(resource, resourceOf(request), [])
  );
}

function entityFits(
  constraint: Cedar.PrincipalConstraint | Cedar.ResourceConstraint,
  self: EntityName,
  parents: EntityName[],
): boolean {
  if (constraint.op === 'All') return true;
  if (constraint.op === '==') return 'entity' in constraint && same(constraint.entity, self);
  if (constraint.op === 'in') return within(constraint, self, parents);
  return constraint.entity_type === self.type && (!constraint.in || within(constraint.in, self, parents));
}

function actionFits(constraint: Cedar.ActionConstraint, self: EntityName): boolean {
  if (constraint.op === 'All') return true;
  if ('entities' in constraint) return constraint.entities.some((entity) => same(entity, self));
  return 'entity' in constraint && same(constraint.entity, self);
}

function within(constraint: Cedar.PrincipalOrResourceInConstraint, self: EntityName, parents: EntityName[]): boolean {
  return 'entity' in constraint && [self, ...parents].some((entity) => same(constraint.entity, entity));
}

function same(named: Cedar.EntityUidJson, entity: EntityName): boolean {
  const { type, id } = '__entity' in named ? named.__entity : named;
  return type === entity.type && id === entity.id;
}

/** A policy set's decision on a request. `error` refuses like `forbids`: a policy that failed might have forbidden. */
export type Evaluation =
  | { readonly kind: 'silent' }
  | { readonly kind: 'forbids'; readonly policies: readonly string[] }
  | { readonly kind: 'error'; readonly message: string };

const SILENT: Evaluation = { kind: 'silent' };

/**
 * Evaluates a policy set (roles-16) for every reading of the call's path: the first decision other than silence applies. Policies
 * that name paths in lower case also read capitals so. It never throws: every failure is an `error`, and so a refusal.
 */
export function evaluatePolicies(set: CompiledPolicySet, request: PolicyRequest): Evaluation {
  for (const path of readingsOf(request.call.path)) {
    const decision = evaluate(set, { ...request, call: { ...request.call, path } });
    if (decision.kind !== 'silent') return decision;
    const lower = path.toLowerCase();
    if (lower === path) continue;
    const inLower = set.filter(({ ignoresCase }) => ignoresCase);
    const again = evaluate(inLower, { ...request, call: { ...request.call, path: lower } });
    if (again.kind !== 'silent') return again;
  }
  return SILENT;
}

function evaluate(policies: CompiledPolicySet, request: PolicyRequest): Evaluation {
  const fitting = policies.filter(({ tree }) => scopeFits(tree, request) && !refutes(tree.conditions, request));
  if (fitting.length === 0) return SILENT;
  const needs = union(fitting.map((policy) => policy.needs));
  try {
    const answer = askEngine((cedar) =>
      cedar.statefulIsAuthorized({
        principal: principalOf(request),
        action: actionOf(request),
        resource: resourceOf(request),
        context: contextFor(request, needs.context),
        entities: needs.entities ? entitiesFor(request) : [],
        preparsedPolicySetId: preparePolicies(cedar, fitting),
      }),
    );
    return decisionOf(answer, (index) => fitting[Number(index)]?.name ?? 'baseline');
  } catch (error) {
    if (error instanceof PolicyEngineFault) return { kind: 'error', message: error.message };
    throw error;
  }
}

function decisionOf(answer: Cedar.AuthorizationAnswer, nameOf: (index: string) => string): Evaluation {
  if (answer.type === 'failure')
    return { kind: 'error', message: answer.errors.map(({ message }) => message).join('; ') };
  const { decision, diagnostics } = answer.response;
  if (decision === 'deny' && diagnostics.reason.length > 0) {
    return { kind: 'forbids', policies: diagnostics.reason.map(nameOf).sort() };
  }
  const [first] = diagnostics.errors;
  if (first) return { kind: 'error', message: `${nameOf(first.policyId)}: ${first.error.message}` };
  return decision === 'allow' ? SILENT : { kind: 'error', message: 'the engine denied without a reason' };
}

function contextFor({ call }: PolicyRequest, needed: ReadonlySet<string>): Cedar.Context {
  const wants = (name: string) => needed.has(name) || needed.has('*');
  return {
    ...(wants('session') && call.session !== null && { session: call.session }),
    ...(wants('method') && { method: call.method }),
    ...(wants('path') && { path: call.path }),
    ...(wants('sourceAddress') &&
      call.sourceAddress !== null && { sourceAddress: extension('ip', plain(call.sourceAddress)) }),
    ...(wants('time') && { time: extension('datetime', call.at.toISOString()) }),
  };
}

function extension(fn: string, arg: string): Cedar.CedarValueJson {
  return { __extn: { fn, arg } };
}

function entitiesFor(request: PolicyRequest): Cedar.Entities {
  const { resource } = request;
  const subject = { uid: principalOf(request), attrs: {}, parents: rolesOf(request) };
  if (resource.type !== 'Endpoint') return [subject];
  const { model, provider } = resource;
  return [subject, { uid: resourceOf(request), attrs: { model, provider }, parents: [] }];
}

/** A decision on a right. `detail` names the policy that refused, for the decision log; it never reaches the caller. */
export type Authorization =
  | { readonly granted: true }
  | { readonly granted: false; readonly reason: 'role-missing'; readonly detail: null }
  | { readonly granted: false; readonly reason: 'policy-forbids' | 'policy-error'; readonly detail: string };

/**
 * The matrix first, then the policy in force, which can only remove rights (roles-16).
 * @param policies null where no policy is installed: the engine is then not called
 */
export function authorize(request: PolicyRequest, policies: CompiledPolicySet | null): Authorization {
  if (!matrixGrants(request.roles, request.permission)) return { granted: false, reason: 'role-missing', detail: null };
  if (policies === null) return { granted: true };
  const decision = evaluatePolicies(policies, request);
  if (decision.kind === 'silent') return { granted: true };
  return decision.kind === 'forbids'
    ? { granted: false, reason: 'policy-forbids', detail: decision.policies.join(', ') }
    : { granted: false, reason: 'policy-error', detail: decision.message };
}

/** The decision of one policy of a set on a request. */
export interface PolicyDecision extends Position {
  readonly policy: string;
  readonly says: 'nothing' | 'forbids' | 'error';
  /** Why it could not be evaluated. */
  readonly message: string | null;
}

/** A decision, and what each policy says. */
interface ExplainedDecision {
  readonly granted: boolean;
  readonly reason: 'role' | 'role-missing' | 'policy-forbids' | 'policy-error';
  readonly policies: readonly PolicyDecision[];
}

/** Slugs of a model and its provider. */
interface ServedModel {
  readonly model: string;
  readonly provider: string;
}

/** Why a subject may or may not do something, for an operator who plans a change. */
export interface Explanation extends ExplainedDecision {
  /** The one role with the permission, and whether the subject has it. */
  readonly role: Role;
  readonly held: boolean;
  /** The decision on a call that the endpoint's standby serves; null where it is the same, or there is none. */
  readonly standby: (ExplainedDecision & ServedModel) | null;
}

/**
 * Explains a decision, and the one on the endpoint's standby where it is another: an attempt with the standby is decided on its own.
 */
export function explain(
  request: PolicyRequest,
  set: CompiledPolicySet | null,
  standby: ServedModel | null = null,
): Explanation {
  const { resource } = request;
  const first = explainDecision(request, set);
  const second =
    standby !== null && resource.type === 'Endpoint'
      ? explainDecision({ ...request, resource: { ...resource, ...standby } }, set)
      : first;
  return {
    ...first,
    role: roleOf(request.permission),
    held: matrixGrants(request.roles, request.permission),
    standby: standby === null || isDeepStrictEqual(first, second) ? null : { ...standby, ...second },
  };
}

/** Evaluates every policy separately, even where the matrix refuses, so that all causes are found at once. */
function explainDecision(request: PolicyRequest, set: CompiledPolicySet | null): ExplainedDecision {
  const decision = authorize(request, set);
  const policies = (set ?? []).map((policy): PolicyDecision => {
    const alone = evaluatePolicies([policy], request);
    return {
      policy: policy.name,
      ...policy.position,
      says: alone.kind === 'silent' ? 'nothing' : alone.kind,
      message: alone.kind === 'error' ? alone.message : null,
    };
  });
  return {
    granted: decision.granted,
    reason: decision.granted ? 'role' : decision.reason,
    policies,
  };
}

/** The stored form of a key, used for the lookup: SHA-256 (roles-2). */
export function digestOfAccountKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** A new key and its stored form: the key itself is shown once and stored nowhere (roles-2). */
export function newAccountKey(): { readonly key: string; readonly digest: Buffer; readonly lastFour: string } {
  const key = `gwk_${randomBytes(24).toString('hex')}`;
  return { key, digest: digestOfAccountKey(key), lastFour: key.slice(-4) };
}
