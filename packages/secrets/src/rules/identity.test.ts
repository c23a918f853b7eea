import { describe, expect, it } from 'vitest';
import { read, written } from '../testing/written.ts';

/** Where developers keep secrets of identity providers and of networks. */
const SECRETS = [
  [
    'a client of this gateway',
    'ANTHROPIC_AUTH_TOKEN=«gateway-account-key gwk_[a-f0-9]{48}» ANTHROPIC_BASE_URL=https://gw.acme.io claude',
  ],
  [
    'settings of Stytch',
    'STYTCH_PROJECT_ID=project-live-{uuid}\nSTYTCH_SECRET=«stytch-secret secret-live-[A-Za-z0-9_-]{36}=»',
  ],
  [
    'a session of Salesforce',
    `sfdx auth: {"accessToken":"«salesforce-token 00D[A-Za-z0-9]{12}!A[A-Za-z0-9_.]{96}»","instanceUrl":"https://acme.my.salesforce.com"}`,
  ],
  ['an application of HubSpot', "const hubspot = new Client({ accessToken: '«hubspot-token pat-eu1-{uuid}»' });"],
  [
    'an older key of HubSpot in an address',
    'https://api.hubapi.com/crm/v3/objects/contacts?hapikey=«hubspot-key {uuid}»&limit=10',
  ],
  [
    'settings of Okta',
    'okta:\n  client:\n    orgUrl: https://acme.okta.com\n    okta_token: "«okta-token 00[A-Za-z0-9_-]{40}»"',
  ],
  ['a call of Okta', "curl -H 'Authorization: SSWS «okta-token 00[A-Za-z0-9]{40}»' https://acme.okta.com/api/v1/users"],
  ['a client of 42', 'FORTYTWO_SECRET=«intra42-secret s-s4t2ud-[a-f0-9]{64}»'],
  [
    'checks of identity',
    'ONFIDO_TOKEN="«onfido-token api_live.[A-Za-z0-9_-]{11}.[A-Za-z0-9_-]{32}»" PERSONA_KEY="«persona-key persona_production_{uuid}»"',
  ],
  [
    'a permanent token of YouTrack',
    'curl -H "Authorization: Bearer «jetbrains-token perm:[A-Za-z0-9]{8}.[A-Za-z0-9]{8}.[A-Za-z0-9]{30}»" https://acme.youtrack.cloud/api/issues',
  ],
  [
    'a node that joins a private network',
    'sudo tailscale up --auth-key=«tailscale-key tskey-auth-[A-Za-z0-9]{12}CNTRL-[A-Za-z0-9]{32}» --ssh',
  ],
  [
    'a token of Cloudflare in a workflow',
    '          CLOUDFLARE_API_TOKEN: «cloudflare-key [A-Za-z0-9]{40}»\n          CLOUDFLARE_ACCOUNT_ID: «- [a-f0-9]{32}»',
  ],
  ['a newer token of Cloudflare', 'wrangler deploy --api-token «cloudflare-token cfut_[A-Za-z0-9]{48}»'],
  [
    'the .edgerc file of Akamai',
    '[default]\nclient_token = «akamai-credential akab-[a-z0-9]{16}-[a-z0-9]{16}»\naccess_token = «akamai-credential akab-[a-z0-9]{16}-[a-z0-9]{16}»\n',
  ],
  ['settings of NetBird', 'netbird:\n  api: "«netbird-token nbp_[A-Za-z0-9]{36}»"'],
] as const;

const NONE = [
  ['identifiers of tenants', 'client_id=«- {uuid}»&tenant=«- {uuid}»&resource=https://graph.microsoft.com'],
  [
    'a discovery document',
    '{"issuer":"https://login.acme.io","jwks_uri":"https://login.acme.io/keys","token_endpoint":"https://login.acme.io/token"}',
  ],
  [
    'a public key of a directory',
    '{"keys":[{"kty":"RSA","kid":"«- [a-f0-9]{40}»","n":"«- [A-Za-z0-9_-]{342}»","e":"AQAB"}]}',
  ],
  ['a challenge of PKCE', 'code_challenge=«- [A-Za-z0-9_-]{43}»&code_challenge_method=S256'],
  ['a saved state', 'Location: /callback?state=«- {uuid}»'],
  ['an address of a node', 'tailscale ip: 100.101.102.103 fd7a:115c:a1e0::1 laptop.tail1234.ts.net'],
  ['a public key of WireGuard', '[Peer]\nPublicKey = «- [A-Za-z0-9+/]{43}»=\nEndpoint = vpn.acme.io:51820'],
  [
    'a host key',
    'github.com ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBB«- [A-Za-z0-9+/]{86}»=',
  ],
  [
    'a certificate',
    '-----BEGIN CERTIFICATE-----\nMIIB«- [A-Za-z0-9+/]{60}»\n«- [A-Za-z0-9+/]{64}»\n-----END CERTIFICATE-----',
  ],
  ['a role', 'persona_administrator_with_read_access, secret-live-reload-plugin'],
] as const;

describe('secrets of identity and networks', () => {
  it.each(SECRETS)('are found and masked, and nothing else, in %s', (_, template) => {
    const document = written(template);
    expect(read(document.text)).toEqual(document);
  });

  it.each(NONE)('are not suspected in %s', (_, template) => {
    const document = written(template);
    expect(read(document.text)).toEqual(document);
  });
});
