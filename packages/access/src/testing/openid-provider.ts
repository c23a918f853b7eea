// A real OpenID provider (panva's oidc-provider) in its own process, so that tests can stop it, restart it and rotate its keys.
// Its one argument is its settings as JSON; it writes "listening" to standard output.
import { createServer } from 'node:https';
import { Provider } from 'oidc-provider';
import type { ProviderSettings } from './identity-provider.ts';

const settings = JSON.parse(String(process.argv[2])) as ProviderSettings;
const issuer = `https://127.0.0.1:${settings.port}`;

const provider = new Provider(issuer, {
  clients: ['gateway', 'other'].map((client_id) => ({
    client_id,
    redirect_uris: [`${issuer}/landed`],
    token_endpoint_auth_method: 'none',
  })),
  jwks: { keys: [...settings.keys] },
  ttl: { IdToken: settings.lifetime, AccessToken: 3600, Session: 3600, Grant: 3600, Interaction: 3600 },
  claims: { openid: ['sub', 'preferred_username'] },
  conformIdTokenClaims: false,
  findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, preferred_username: `${sub}@acme.example` }) }),
});
const answer = provider.callback();
const shown = { cert: settings.certificate, key: settings.key };
createServer(shown, (request, response) => {
  answer(request, response).catch((error: Error) => response.destroy(error));
}).listen(settings.port, '127.0.0.1', () => process.stdout.write('listening\n'));
