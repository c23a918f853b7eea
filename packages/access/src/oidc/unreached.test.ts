import { expect, it } from 'vitest';
import { whyUnreached } from './transport.ts';

const refused = (address: string) =>
  Object.assign(new Error(`connect ECONNREFUSED ${address}`), { code: 'ECONNREFUSED' });

it.each<[string, unknown, string]>([
  ['the network error', refused('10.0.0.1:443'), 'connect ECONNREFUSED 10.0.0.1:443'],
  [
    'the cause inside an error of a library',
    new TypeError('fetch failed', { cause: refused('10.0.0.1:443') }),
    'connect ECONNREFUSED 10.0.0.1:443',
  ],
  [
    'the first of several addresses',
    new AggregateError([refused('[::1]:443'), refused('127.0.0.1:443')], ''),
    'connect ECONNREFUSED [::1]:443',
  ],
  ['a code, where there is no message', Object.assign(new Error(''), { code: 'ECONNRESET' }), 'ECONNRESET'],
  [
    'a TLS failure, without source locations of OpenSSL',
    new Error('write EPROTO 407D:error:0A00010B:SSL routines:tls_validate:wrong version number:../tlsany_meth.c:77:\n'),
    'TLS failed: wrong version number',
  ],
  ['the first line', new Error('one\ntwo'), 'one'],
  ['what is no error', 'gone', 'gone'],
])('is %s', (_, error, said) => expect(whyUnreached(error)).toBe(said));

it('names the variable that adds an authority, instead of the advice of Node.js', () => {
  const advice = 'unable to verify the first certificate; if the root CA is installed locally, try --use-system-ca';
  const error = Object.assign(new Error(advice), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
  expect(whyUnreached(error)).toMatch(/not trusted.*OIDC_TLS_CA_FILE$/);
});
