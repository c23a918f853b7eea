import { okResponse } from './http/answers.ts';
import { route } from './routing/route.ts';

/** Shows callers the subject they are signed in as. It grants nothing. */
export const session = route({
  method: 'GET',
  path: '/api/session',
  right: 'signed-in',
  summary:
    'Shows the signed-in user with their roles, and the address of the gateway. The shared pair has no subject and no role.',
  answers:
    '200 `{subject, roles, gatewayUrl}`: `subject` is null for the shared pair, `gatewayUrl` if `GATEWAY_PUBLIC_URL` is not set',
  handle: async ({ caller, services: { gatewayUrl } }) =>
    okResponse({
      subject: caller.kind === 'subject' ? caller.subject : null,
      roles: caller.kind === 'subject' ? caller.roles : [],
      gatewayUrl,
    }),
});
