import type { JWK } from 'jose';
import { adfs, certified, entra, gitlab, half, KID, keycloak, okta, PERSON, TENANT, zitadel } from './products.ts';

/** One token of a product, with its published keys; the test's host replaces its own. */
export interface Transcript {
  /** What follows the host in its issuer. */
  readonly issuer: string;
  /** The address of its keys. */
  readonly keysAt: string;
  /** The members of its discovery document besides issuer and jwks_uri. */
  readonly says?: object;
  /** Signs the token. */
  readonly alg?: string;
  /** Members of the published key besides its parts; `kid` and `use: sig` by default. */
  readonly key?: object;
  /** Published besides that key. */
  readonly besides?: () => Promise<JWK[]>;
  readonly header: object;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly audience?: string;
  readonly subjectClaim?: string;
  /** The accepted subject, or the reason of the refusal. */
  readonly outcome: { readonly subject: string } | { readonly reason: string };
}

export const TRANSCRIPTS: Readonly<Record<string, Transcript>> = {
  'Keycloak, an identity token': {
    ...keycloak,
    claims: { sub: PERSON, aud: 'gateway', typ: 'ID', azp: 'gateway', nonce: 'n', acr: '1', sid: 's' },
    outcome: { subject: PERSON },
  },
  'Keycloak, an access token as it is without a mapper of the audience': {
    ...keycloak,
    claims: { sub: PERSON, aud: 'account', typ: 'Bearer', azp: 'gateway', realm_access: { roles: ['offline_access'] } },
    outcome: { reason: 'token-audience' },
  },
  'Keycloak, an access token of somebody without a role of a client, which has no audience': {
    ...keycloak,
    claims: { sub: PERSON, typ: 'Bearer', azp: 'gateway' },
    outcome: { reason: 'token-audience' },
  },
  'Keycloak, an access token with a mapper of the audience': {
    ...keycloak,
    claims: { sub: PERSON, aud: ['gateway', 'account'], typ: 'Bearer', azp: 'cli', scope: 'openid email' },
    outcome: { subject: PERSON },
  },
  'Keycloak, a lightweight access token': {
    ...keycloak,
    claims: { aud: 'gateway', typ: 'Bearer', azp: 'gateway', jti: 'onrtro:1' },
    outcome: { reason: 'token-claims' },
  },
  'Microsoft Entra ID, an identity token of somebody with more groups than fit': {
    ...entra,
    subjectClaim: 'oid',
    claims: {
      sub: 'mBB9iAYkQHlBbSbqbUWVGnNHf0u1HuGMNeaDxBEj3kY',
      oid: PERSON,
      aud: 'gateway',
      tid: TENANT,
      ver: '2.0',
      _claim_names: { groups: 'src1' },
      _claim_sources: { src1: { endpoint: 'https://graph.microsoft.com/v1.0/users/x/getMemberObjects' } },
    },
    outcome: { subject: PERSON },
  },
  'Microsoft Entra ID, an access token of version 1 where the issuer is that of version 2': {
    ...entra,
    claims: { sub: 's', iss: `https://sts.windows.net/${TENANT}/`, aud: 'api://gateway', ver: '1.0', scp: 'call' },
    audience: 'api://gateway',
    outcome: { reason: 'token-issuer' },
  },
  'Microsoft Entra ID, an access token of version 1 of its own issuer': {
    ...entra,
    issuer: `/${TENANT}/`,
    header: { typ: 'JWT', x5t: KID, kid: KID },
    audience: 'api://gateway',
    claims: { sub: 's0ZfFE2r', aud: 'api://gateway', appid: 'x', ver: '1.0', scp: 'call' },
    outcome: { subject: 's0ZfFE2r' },
  },
  'Okta, an access token of a custom authorization server': {
    ...okta,
    audience: 'api://default',
    claims: {
      sub: 'alice@acme.example',
      uid: '00u1',
      cid: '0oa1',
      aud: 'api://default',
      scp: ['openid'],
      ver: 1,
      jti: 'AT.1',
    },
    outcome: { subject: 'alice@acme.example' },
  },
  'Okta, an identity token': {
    ...okta,
    claims: { sub: '00ub0oNGTSWTBKOLGLNR', aud: 'gateway', amr: ['pwd', 'mfa'], idp: '00o1', ver: 1 },
    outcome: { subject: '00ub0oNGTSWTBKOLGLNR' },
  },
  'Okta, an access token of the org authorization server': {
    ...okta,
    issuer: '',
    keysAt: '/oauth2/v1/keys',
    header: { kid: KID, typ: 'application/okta-internal-at+jwt' },
    claims: { sub: 'alice@acme.example', aud: 'gateway', cid: '0oa1' },
    outcome: { reason: 'token-malformed' },
  },
  'Auth0, an access token of RFC 9068': {
    issuer: '/',
    keysAt: '/.well-known/jwks.json',
    key: { alg: 'RS256', ...certified },
    header: { typ: 'at+jwt', kid: KID },
    audience: 'https://gateway.acme.example',
    claims: {
      sub: 'auth0|5f7c8ec7c33c6c004bbafe82',
      aud: ['https://gateway.acme.example', 'https://x/userinfo'],
      permissions: [],
    },
    outcome: { subject: 'auth0|5f7c8ec7c33c6c004bbafe82' },
  },
  'Google, an identity token': {
    issuer: '',
    keysAt: '/oauth2/v3/certs',
    key: { alg: 'RS256' },
    besides: async () => [await half('RS256', 'of yesterday')],
    header: { typ: 'JWT', kid: KID },
    claims: { sub: '110169484474386276334', aud: 'gateway', azp: 'gateway', hd: 'acme.example', email_verified: true },
    outcome: { subject: '110169484474386276334' },
  },
  'AD FS, an identity token': {
    ...adfs,
    subjectClaim: 'upn',
    claims: {
      sub: 'q+8Pnq1H/Zo=',
      upn: 'alice@acme.example',
      unique_name: 'ACME\\alice',
      aud: 'gateway',
      apptype: 'Public',
    },
    outcome: { subject: 'alice@acme.example' },
  },
  'AD FS, an access token, which has an issuer of its own': {
    ...adfs,
    claims: {
      iss: adfs.says.access_token_issuer,
      aud: 'microsoft:identityserver:gateway',
      appid: 'gateway',
      ver: '1.0',
    },
    audience: 'microsoft:identityserver:gateway',
    outcome: { reason: 'token-issuer' },
  },
  'a directory of before RFC 7515, whose header names the certificate alone': {
    ...adfs,
    besides: async () => [await half('RS256', 'another')],
    header: { typ: 'JWT', x5t: KID },
    claims: { sub: 'alice', aud: 'gateway' },
    outcome: { subject: 'alice' },
  },
  'Authentik, with a signing key of P-256': {
    issuer: '/application/o/gateway/',
    keysAt: '/application/o/gateway/jwks/',
    alg: 'ES256',
    key: { alg: 'ES256', ...certified },
    header: { kid: KID, typ: 'JWT' },
    claims: {
      sub: 'f1b0e5a3'.repeat(8),
      aud: 'gateway',
      acr: 'goauthentik.io/providers/oauth2/default',
      groups: ['dev'],
    },
    outcome: { subject: 'f1b0e5a3'.repeat(8) },
  },
  'Dex, among keys of many rotations': {
    issuer: '/dex',
    keysAt: '/dex/keys',
    key: { alg: 'RS256' },
    besides: async () => [await half('RS256', 'former'), await half('RS256', 'before it')],
    header: { kid: KID },
    claims: { sub: 'CiQwOGE4Njg0Yi1kYjg4LTRiNzMtOTBhOS0zY2QxNjYxZjU0NjYSBWxvY2Fs', aud: 'gateway', at_hash: 'x' },
    outcome: { subject: 'CiQwOGE4Njg0Yi1kYjg4LTRiNzMtOTBhOS0zY2QxNjYxZjU0NjYSBWxvY2Fs' },
  },
  'Zitadel, an access token that is a JWT, with a key of Ed25519': {
    ...zitadel,
    alg: 'EdDSA',
    key: { alg: 'EdDSA' },
    claims: {
      sub: '163840776835432705',
      aud: ['171995540231225601', 'gateway', '163840776835432345'],
      client_id: 'gateway',
    },
    outcome: { subject: '163840776835432705' },
  },
  'GitLab, an identity token': {
    ...gitlab,
    claims: {
      sub: '1234',
      sub_legacy: 'f4d5',
      aud: 'gateway',
      nickname: 'alice',
      groups_direct: ['acme', 'acme/team'],
    },
    outcome: { subject: '1234' },
  },
  'GitLab, a token of a job, which names the job and no person': {
    ...gitlab,
    claims: {
      sub: 'project_path:acme/app:ref_type:branch:ref:main',
      aud: 'gateway',
      user_login: 'alice',
      user_id: '1234',
    },
    outcome: { subject: 'project_path:acme/app:ref_type:branch:ref:main' },
  },
  'PingFederate, among keys of four kinds without an algorithm': {
    issuer: '',
    keysAt: '/pf/JWKS',
    alg: 'ES384',
    besides: async () => [
      await half('RS256', 'rsa', { alg: undefined }),
      await half('ES256', 'p256', { alg: undefined }),
      await half('ES512', 'p521', { alg: undefined }),
    ],
    header: { kid: KID, 'pi.atm': '4' },
    claims: { sub: 'alice', aud: 'gateway', client_id: 'gateway', scope: 'openid' },
    outcome: { subject: 'alice' },
  },
  'PingOne, whose keys have one name': {
    issuer: `/${TENANT}/as`,
    keysAt: `/${TENANT}/as/jwks`,
    key: { kid: 'default' },
    besides: async () => [await half('RS256', 'default')],
    header: { kid: 'default' },
    claims: { sub: PERSON, aud: ['gateway'], env: TENANT, org: 'o', sid: 's' },
    outcome: { subject: PERSON },
  },
  'a directory that signs with PS256': {
    issuer: '',
    keysAt: '/keys',
    alg: 'PS256',
    header: { kid: KID },
    claims: { sub: 'alice', aud: 'gateway' },
    outcome: { subject: 'alice' },
  },
  'a directory that signs with RS512, which is not among the algorithms': {
    issuer: '',
    keysAt: '/keys',
    alg: 'RS512',
    header: { kid: KID },
    claims: { sub: 'alice', aud: 'gateway' },
    outcome: { reason: 'token-algorithm' },
  },
};

/** The public half of a new key, as an identity provider publishes it. */
