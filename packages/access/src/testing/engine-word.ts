import { askEngine } from '../policy/engine.ts';
import { actionOf, type PolicyQuestion, principalOf, resourceOf, rolesOf } from '../policy/question.ts';

/** The engine's own decision on a policy set, with every entity and the whole context, without our selection. */
export function engineAllows(text: string, question: PolicyQuestion): boolean {
  const { resource, call } = question;
  const answer = askEngine((cedar) =>
    cedar.isAuthorized({
      principal: principalOf(question),
      action: actionOf(question),
      resource: resourceOf(question),
      context: {
        ...(call.session !== null && { session: call.session }),
        ...(call.sourceAddress !== null && {
          sourceAddress: { __extn: { fn: 'ip', arg: call.sourceAddress.replace('::ffff:', '') } },
        }),
        method: call.method,
        path: call.path,
        time: { __extn: { fn: 'datetime', arg: call.at.toISOString() } },
      },
      policies: { staticPolicies: `${text}\npermit(principal, action, resource);` },
      entities: [
        { uid: principalOf(question), attrs: {}, parents: rolesOf(question) },
        ...(resource.type === 'Endpoint'
          ? [{ uid: resourceOf(question), attrs: { model: resource.model, provider: resource.provider }, parents: [] }]
          : []),
      ],
    }),
  );
  if (answer.type === 'failure') return false;
  return answer.response.decision === 'allow' && answer.response.diagnostics.errors.length === 0;
}
