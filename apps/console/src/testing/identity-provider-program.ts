// A real OpenID provider (panva's oidc-provider) in a separate process, so that tests can stop and restart it. Its one argument
// is its settings as JSON; it prints "listening" on standard output.
import { createServer } from 'node:https';
import { Provider } from 'oidc-provider';
import type { IdentityProviderSettings } from './identity-provider.ts';

const settings = JSON.parse(String(process.argv[2])) as IdentityProviderSettings;

const provider = new Provider(`https://127.0.0.1:${settings.port}`, {
  clients: [
    { client_id: 'console', redirect_uris: settings.redirectUris, token_endpoint_auth_method: 'none' },
    { client_id: 'confidential', client_secret: 'a client secret', redirect_uris: settings.redirectUris },
  ],
  claims: { openid: ['sub', 'employee'], profile: ['name'], email: ['email'] },
  conformIdTokenClaims: false,
  findAccount: (_, sub) => ({
    accountId: sub,
    claims: () => ({ sub, name: `Person ${sub}`, email: `${sub}@acme.example`, employee: `e-${sub}` }),
  }),
});
const answer = provider.callback();
createServer({ cert: settings.certificate, key: settings.key }, (request, response) => {
  answer(request, response).catch((error: Error) => response.destroy(error));
}).listen(settings.port, '127.0.0.1', () => process.stdout.write('listening\n'));
