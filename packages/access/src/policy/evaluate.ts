import type { CompiledPolicySet } from './compiled.ts';
import { askEngine, type Cedar, PolicyEngineFault } from './engine.ts';
import { union } from './needs.ts';
import { preparePolicies } from './prepared.ts';
import { readingsOf } from './readings.ts';
import { refutes } from './refute.ts';
import { actionOf, type PolicyRequest, plain, principalOf, resourceOf, rolesOf } from './request.ts';
import { scopeFits } from './scope.ts';

/** A policy set's decision on a request. `error` refuses like `forbids`: a policy that failed might have forbidden. */
export type PolicyDecision =
  | { readonly kind: 'silent' }
  | { readonly kind: 'forbids'; readonly policies: readonly string[] }
  | { readonly kind: 'error'; readonly message: string };

const SILENT: PolicyDecision = { kind: 'silent' };

/**
 * Evaluates a policy set (roles-16) for every reading of the call's path: the first decision other than silence applies. Policies
 * that name paths in lower case also read capitals so. It never throws: every failure is an `error`, and so a refusal.
 */
export function evaluatePolicies(set: CompiledPolicySet, request: PolicyRequest): PolicyDecision {
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

function evaluate(policies: CompiledPolicySet, request: PolicyRequest): PolicyDecision {
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

function decisionOf(answer: Cedar.AuthorizationAnswer, nameOf: (index: string) => string): PolicyDecision {
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
