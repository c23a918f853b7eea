import { shown } from './answers.ts';
import { route } from './route.ts';

/** Tells callers who they are signed in as. It opens nothing. */
export const session = route({
  method: 'GET',
  path: '/api/session',
  right: 'signed-in',
  summary:
    'Tells who is signed in, with the roles held, and where callers reach the gateway. The shared pair has no subject and no role.',
  answers:
    '200 `{subject, roles, gatewayUrl}`: `subject` is null for the shared pair, `gatewayUrl` where `GATEWAY_PUBLIC_URL` is not set',
  handle: async ({ caller, services: { gatewayUrl } }) =>
    shown({
      subject: caller.kind === 'subject' ? caller.subject : null,
      roles: caller.kind === 'subject' ? caller.roles : [],
      gatewayUrl,
    }),
});
