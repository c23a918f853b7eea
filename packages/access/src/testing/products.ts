import type { JWK } from 'jose';
import { signingKey } from './identity-provider.ts';

/* What the tokens of one identity provider have in common, and how it publishes its keys. */

export const KID = 'nOo3ZDrODXEK1jKWhXslHR_KXEg';
export const TENANT = 'aaaabbbb-0000-cccc-1111-dddd2222eeee';
export const PERSON = 'c3d1a1f0-6e2b-4b6e-9d53-5a4b1f0c7e21';
export const certified = { x5t: KID, x5c: ['MIIDBTCCAe2gAwIBAgIQ'] };
const encryption = async () => [
  { ...(await half('RSA-OAEP', 'encryption')), use: 'enc', alg: 'RSA-OAEP', ...certified },
];

export const keycloak = {
  issuer: '/realms/acme',
  keysAt: '/realms/acme/protocol/openid-connect/certs',
  says: {
    mtls_endpoint_aliases: {},
    authorization_response_iss_parameter_supported: true,
    acr_values_supported: ['0'],
  },
  key: { alg: 'RS256', 'x5t#S256': 'sLqSzpHb', ...certified },
  besides: encryption,
  header: { typ: 'JWT', kid: KID },
};
export const entra = {
  issuer: `/${TENANT}/v2.0`,
  keysAt: `/${TENANT}/discovery/v2.0/keys`,
  says: { tenant_region_scope: 'EU', cloud_instance_name: 'microsoftonline.com', msgraph_host: 'graph.microsoft.com' },
  key: { ...certified, cloud_instance_name: 'microsoftonline.com', issuer: 'https://login.microsoftonline.com/x/v2.0' },
  header: { typ: 'JWT', kid: KID },
};
export const adfs = {
  issuer: '/adfs',
  keysAt: '/adfs/discovery/keys',
  says: { access_token_issuer: 'http://adfs.acme.example/adfs/services/trust', microsoft_multi_refresh_token: true },
  key: { alg: 'RS256', ...certified },
  header: { typ: 'JWT', x5t: KID, kid: KID },
};
export const okta = {
  issuer: '/oauth2/default',
  keysAt: '/oauth2/default/v1/keys',
  key: { alg: 'RS256' },
  header: { kid: KID },
};
export const gitlab = {
  issuer: '',
  keysAt: '/oauth/discovery/keys',
  key: { alg: 'RS256' },
  header: { typ: 'JWT', kid: KID },
};
export const zitadel = { issuer: '', keysAt: '/oauth/v2/keys', header: { kid: KID, typ: 'JWT' } };

export async function half(alg: string, kid: string, change: object = {}): Promise<JWK> {
  return published(await signingKey(alg, kid), change);
}
export function published({ kty, n, e, crv, x, y, kid, use, alg }: JWK, change: object): JWK {
  return JSON.parse(JSON.stringify({ kty, n, e, crv, x, y, kid, use, alg, ...change })) as JWK;
}
