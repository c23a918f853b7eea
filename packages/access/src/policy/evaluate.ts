import type { CompiledPolicySet } from './compiled.ts';
import { askEngine, type Cedar, PolicyEngineFault } from './engine.ts';
import { union } from './needs.ts';
import { prepared } from './prepared.ts';
import { actionOf, type PolicyQuestion, plain, principalOf, resourceOf, rolesOf } from './question.ts';
import { readingsOf } from './readings.ts';
import { refuted } from './refute.ts';
import { scopeFits } from './scope.ts';

/** A policy set's decision on a question. `error` refuses like `forbids`: a policy that failed might have forbidden. */
export type PolicyVerdict =
  | { readonly kind: 'silent' }
  | { readonly kind: 'forbids'; readonly policies: readonly string[] }
  | { readonly kind: 'error'; readonly message: string };

const SILENT: PolicyVerdict = { kind: 'silent' };

/**
 * Evaluates a policy set (roles-16) for every reading of the call's path: the first decision other than silence applies. It never
 * throws: every failure is an `error`, and so a refusal.
 */
export function evaluatePolicies(set: CompiledPolicySet, question: PolicyQuestion): PolicyVerdict {
  for (const path of readingsOf(question.call.path)) {
    const verdict = evaluate(set, { ...question, call: { ...question.call, path } });
    if (verdict.kind !== 'silent') return verdict;
  }
  return SILENT;
}

function evaluate({ policies }: CompiledPolicySet, question: PolicyQuestion): PolicyVerdict {
  const fitting = policies.filter(({ tree }) => scopeFits(tree, question) && !refuted(tree.conditions, question));
  if (fitting.length === 0) return SILENT;
  const needs = union(fitting.map((policy) => policy.needs));
  try {
    const answer = askEngine((cedar) =>
      cedar.statefulIsAuthorized({
        principal: principalOf(question),
        action: actionOf(question),
        resource: resourceOf(question),
        context: contextFor(question, needs.context),
        entities: needs.entities ? entitiesFor(question) : [],
        preparsedPolicySetId: prepared(cedar, fitting),
      }),
    );
    return verdictOf(answer, (index) => fitting[Number(index)]?.name ?? 'baseline');
  } catch (error) {
    if (error instanceof PolicyEngineFault) return { kind: 'error', message: error.message };
    throw error;
  }
}

function verdictOf(answer: Cedar.AuthorizationAnswer, nameOf: (index: string) => string): PolicyVerdict {
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

function contextFor({ call }: PolicyQuestion, needed: ReadonlySet<string>): Cedar.Context {
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

function entitiesFor(question: PolicyQuestion): Cedar.Entities {
  const { resource } = question;
  const subject = { uid: principalOf(question), attrs: {}, parents: rolesOf(question) };
  if (resource.type !== 'Endpoint') return [subject];
  const { model, provider } = resource;
  return [subject, { uid: resourceOf(question), attrs: { model, provider }, parents: [] }];
}
