import { charset } from '../text/charset.ts';
import { AFTER_NAME } from '../verify/assignment.ts';
import { checkBasic, checkBearer, checkCurlUser } from '../verify/authorization.ts';
import { checkConnectionPassword } from '../verify/connection.ts';
import { checkAssignment } from '../verify/generic.ts';
import { checkJwt } from '../verify/jwt.ts';
import { checkNkeySeed } from '../verify/nkey.ts';
import { checkPem, checkPutty, checkWrappedPem } from '../verify/pem.ts';
import { checkRegistryAuth } from '../verify/registry-auth.ts';
import { checkUrl } from '../verify/url.ts';
import type { StructuralRule } from './rule.ts';

/** Secrets whose form is a standard's rather than a provider's. */
export const STRUCTURAL_RULES: readonly StructuralRule[] = [
  {
    id: 'pem-private-key',
    title: 'Private key (PEM, OpenSSH, PGP)',
    kind: 'private-key',
    source: 'https://www.rfc-editor.org/rfc/rfc7468',
    confidence: 'high',
    keywords: ['-----begin '],
    follows: charset('A-Z'),
    begins: '-----BEGIN ',
    check: checkPem,
  },
  {
    id: 'putty-private-key',
    title: 'Private key (PuTTY)',
    kind: 'private-key',
    source: 'https://the.earth.li/~sgtatham/putty/latest/htmldoc/AppendixC.html',
    confidence: 'high',
    keywords: ['private-lines:'],
    check: checkPutty,
  },
  {
    id: 'base64-private-key',
    title: 'Private key (PEM wrapped in base64)',
    kind: 'private-key',
    source: 'https://www.rfc-editor.org/rfc/rfc7468',
    confidence: 'high',
    keywords: ['ls0tls1crudjti'],
    begins: 'LS0tLS1CRUdJTi',
    check: checkWrappedPem,
  },
  {
    id: 'base64-twice-private-key',
    title: 'Private key (PEM wrapped twice in base64)',
    kind: 'private-key',
    source: 'https://www.rfc-editor.org/rfc/rfc7468',
    confidence: 'high',
    keywords: ['tfmwdexttmunsvrkv'],
    begins: 'TFMwdExTMUNSVWRKV',
    check: checkWrappedPem,
  },
  {
    id: 'json-web-token',
    title: 'JSON Web Token',
    kind: 'access-token',
    source: 'https://www.rfc-editor.org/rfc/rfc7519',
    confidence: 'high',
    keywords: ['eyj'],
    follows: charset('A-Za-z0-9_-'),
    begins: 'eyJ',
    check: checkJwt,
  },
  {
    id: 'url-password',
    title: 'Password in an address',
    kind: 'connection-string',
    source: 'https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1',
    confidence: 'high',
    keywords: ['://'],
    check: checkUrl,
  },
  {
    id: 'connection-password',
    title: 'Password in a connection string',
    kind: 'connection-string',
    source: 'https://learn.microsoft.com/en-us/dotnet/framework/data/adonet/connection-string-syntax',
    confidence: 'high',
    keywords: ['password=', 'pwd=', 'passwd='],
    check: checkConnectionPassword,
  },
  {
    id: 'bearer-authorization',
    title: 'Bearer token',
    kind: 'access-token',
    source: 'https://www.rfc-editor.org/rfc/rfc6750',
    confidence: 'high',
    keywords: ['bearer '],
    follows: charset('A-Za-z0-9._~+/=-'),
    check: checkBearer,
  },
  {
    id: 'basic-authorization',
    title: 'Basic authorization',
    kind: 'access-token',
    source: 'https://www.rfc-editor.org/rfc/rfc7617',
    confidence: 'high',
    keywords: ['basic '],
    follows: charset('A-Za-z0-9+/=_-'),
    check: checkBasic,
  },
  {
    id: 'registry-auth',
    title: 'Container registry credential',
    kind: 'infra-key',
    source: 'https://github.com/containers/image/blob/main/docs/containers-auth.json.5.md',
    confidence: 'high',
    keywords: ['"auth"'],
    check: checkRegistryAuth,
  },
  {
    id: 'nkey-seed',
    title: 'NATS NKEY seed',
    kind: 'private-key',
    source: 'https://docs.nats.io/running-a-nats-service/configuration/securing_nats/auth_intro/nkey_auth',
    confidence: 'high',
    keywords: ['nkey', 'seed', 'nk -'],
    check: checkNkeySeed,
  },
  {
    id: 'curl-user',
    title: 'Password in a curl command',
    kind: 'access-token',
    source: 'https://curl.se/docs/manpage.html#-u',
    confidence: 'high',
    keywords: [' -u ', '--user '],
    check: checkCurlUser,
  },
  {
    id: 'named-secret',
    title: 'Generated value assigned to a name that says it is a secret',
    kind: 'entropy',
    source: 'https://cwe.mitre.org/data/definitions/798.html',
    confidence: 'medium',
    keywords: ['secret', 'token', 'passw', 'passphrase', 'pwd', 'pass', 'key', 'auth', 'cred', 'jwt', 'api', 'bearer'],
    follows: AFTER_NAME,
    check: checkAssignment,
  },
];
