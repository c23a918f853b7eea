import { askEngine } from '../policy/engine.ts';
import { actionOf, type PolicyRequest, principalOf, resourceOf, rolesOf } from '../policy/request.ts';

/** The engine's own decision on a policy set, with every entity and the whole context, without our selection. */
export function engineAllows(text: string, request: PolicyRequest): boolean {
  const { resource, call } = request;
  const answer = askEngine((cedar) =>
    cedar.isAuthorized({
      principal: principalOf(request),
      action: actionOf(request),
      resource: resourceOf(request),
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
        { uid: principalOf(request), attrs: {}, parents: rolesOf(request) },
        ...(resource.type === 'Endpoint'
          ? [{ uid: resourceOf(request), attrs: { model: resource.model, provider: resource.provider }, parents: [] }]
          : []),
      ],
    }),
  );
  if (answer.type === 'failure') return false;
  return answer.response.decision === 'allow' && answer.response.diagnostics.errors.length === 0;
}
