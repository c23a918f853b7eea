import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Configuration, interactionPolicy, Provider } from 'oidc-provider';
import { devicePages } from './device-pages.ts';
import { Memory } from './memory.ts';
import { type IdentityProviderSettings, issuerOf } from './settings.ts';
import { readSignIn, showSignIn } from './sign-in-page.ts';

const SIGN_IN = '/sign-in/';
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';

function configuration(settings: IdentityProviderSettings): Configuration {
  const { people, clientId } = settings;
  const policy = interactionPolicy.base();
  policy.remove('consent'); // the deployment's own client needs nobody's
  return {
    adapter: Memory,
    clients: [
      {
        client_id: clientId,
        client_name: 'gateway',
        application_type: 'native', // its addresses are on this machine
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token', DEVICE_CODE],
        redirect_uris: settings.redirectUris,
      },
    ],
    jwks: { keys: [settings.signingKey] },
    cookies: { keys: settings.cookieKeys },
    claims: { openid: ['sub'], profile: ['name', 'preferred_username'], email: ['email'] },
    conformIdTokenClaims: false, // The identity token itself names the person.
    ttl: {
      DeviceCode: 600,
      IdToken: 3600,
      AccessToken: 3600,
      Session: 86_400,
      Grant: 86_400,
      Interaction: 3600,
      RefreshToken: 86_400,
    },
    features: {
      devInteractions: { enabled: false },
      deviceFlow: { enabled: true, ...devicePages },
      revocation: { enabled: true, allowedPolicy: async (_, client, token) => token.clientId === client.clientId },
    },
    // Without the consent page that a library's default asks for: there is none here.
    issueRefreshToken: async (_, client) => client.grantTypeAllowed('refresh_token'),
    interactions: { policy, url: (_, interaction) => `${SIGN_IN}${interaction.uid}` },
    findAccount: (_, subject) => {
      const person = people.find((one) => one.subject === subject);
      if (person === undefined) return undefined;
      const { name, user, email } = person;
      return { accountId: subject, claims: () => ({ sub: subject, name, preferred_username: user, email }) };
    },
    loadExistingGrant: async (context) => {
      const { client, session, params } = context.oidc;
      const grant = new context.oidc.provider.Grant({
        clientId: client?.clientId ?? '',
        accountId: session?.accountId ?? '',
      });
      const scope = params?.['scope'];
      grant.addOIDCScope(typeof scope === 'string' ? scope : 'openid');
      await grant.save();
      return grant;
    },
  };
}

/** Constant-time comparison. */
function same(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(left, right);
}

/** A real OpenID provider with a few people, who sign in on a page of ours. */
export function createIdentityProvider(
  settings: IdentityProviderSettings,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const provider = new Provider(issuerOf(settings), configuration(settings));
  const answer = provider.callback();
  const { people } = settings;

  const signIn = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const address = request.url ?? '';
    await provider.interactionDetails(request, response); // Refuses an address that no login redirected to.
    const form = request.method === 'POST' ? await readSignIn(request) : null;
    if (form === null) return showSignIn(response, address, false);
    const person = people.find((one) => same(form.user, one.user) && same(form.password, one.password));
    if (person === undefined) return showSignIn(response, address, true);
    return provider.interactionFinished(request, response, { login: { accountId: person.subject } });
  };

  return async (request, response) => {
    if (!request.url?.startsWith(SIGN_IN)) return answer(request, response);
    try {
      await signIn(request, response);
    } catch {
      response.writeHead(400, { 'content-type': 'text/plain' });
      response.end('This sign-in has expired. Start again from the application.\n');
    }
  };
}
