import { describe, expect, it } from 'vitest';
import { breakSentence, failureSentence, type Taken } from './failure.ts';

const PLAIN: Taken = { way: 'direct', secure: false };
const SECURE: Taken = { way: 'direct', secure: true };
const FORWARDED: Taken = { way: 'forward', secure: false };
const TUNNELLED: Taken = { way: 'tunnel', secure: true };

const failure = (message: string, code?: string, more: object = {}): Error =>
  Object.assign(new Error(message), code === undefined ? {} : { code }, more);

const REACHED = ' Check its Base URL; where it is reached through a proxy only, set HTTPS_PROXY or HTTP_PROXY.';
const TLS = ' It does not speak TLS there: check whether its Base URL begins with http:// or has another port.';
const AUTHORITY = ' Set UPSTREAM_TLS_CA_FILE to the authority that issued its certificate.';
const ENDED =
  ' It closed the connection before it answered: look into its log, and check whether its Base URL needs https:// or another port.';
const CLIENT = 'UPSTREAM_TLS_CLIENT_CERT_FILE and UPSTREAM_TLS_CLIENT_KEY_FILE.';

describe('the sentence of a provider that could not be reached', () => {
  it.each<[what: string, error: Error, taken: Taken, sentence: string]>([
    [
      'no server',
      failure('connect ECONNREFUSED 127.0.0.1:1', 'ECONNREFUSED'),
      PLAIN,
      `connect ECONNREFUSED 127.0.0.1:1.${REACHED}`,
    ],
    ['no name', failure('getaddrinfo ENOTFOUND engine', 'ENOTFOUND'), PLAIN, `getaddrinfo ENOTFOUND engine.${REACHED}`],
    ['no answer', failure('the connection timed out', 'ETIMEDOUT'), SECURE, `the connection timed out.${REACHED}`],
    [
      'no TLS',
      failure('ssl', 'ERR_SSL_WRONG_VERSION_NUMBER', { reason: 'wrong version number' }),
      SECURE,
      `wrong version number.${TLS}`,
    ],
    [
      'an unknown authority',
      failure(
        'unable to verify the first certificate; if the root CA is installed locally, try running Node.js with --use-system-ca',
        'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      ),
      SECURE,
      `unable to verify the first certificate.${AUTHORITY}`,
    ],
    [
      'an answer that is none',
      failure('its answer does not match the HTTP/1.1 protocol'),
      PLAIN,
      'its answer does not match the HTTP/1.1 protocol.',
    ],
    [
      'an assertion of a library',
      failure('assert(statusCode >= 100)', 'ERR_ASSERTION'),
      PLAIN,
      'its answer does not match the HTTP/1.1 protocol.',
    ],
    ['a closed connection', failure('other side closed', 'UND_ERR_SOCKET'), PLAIN, `other side closed.${ENDED}`],
    ['several lines', failure('first line\nsecond line\n    at somewhere'), PLAIN, 'first line.'],
    ['a full stop', failure('It ended.'), PLAIN, 'It ended.'],
    ['a code alone', failure('', 'EPIPE'), PLAIN, `EPIPE.${ENDED}`],
    ['nothing at all', failure(''), PLAIN, 'the connection failed.'],
  ])('names %s, and the variable that fixes it', (_what, error, taken, sentence) => {
    expect(failureSentence(error, taken, false)).toBe(`The provider could not be reached: ${sentence}`);
  });

  it.each([
    ['HTTP_PROXY', FORWARDED],
    ['HTTPS_PROXY', TUNNELLED],
  ])('names %s where the connection leads through it', (variable, taken) => {
    const said = failureSentence(failure('connect ECONNREFUSED', 'ECONNREFUSED'), taken, false);
    expect(said).toContain(`The gateway uses the proxy of ${variable}: correct it, or add the provider to NO_PROXY.`);
  });

  it.each([
    ['a handshake that fails', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', SECURE],
    ['an alert', 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', TUNNELLED],
    ['a connection that is closed after it', 'ECONNRESET', SECURE],
  ])('asks for a client certificate after %s, or whether the one there is accepted', (_what, code, taken) => {
    const error = failure('closed', code);
    expect(failureSentence(error, taken, false)).toContain(`It may ask for a client certificate: set ${CLIENT}`);
    expect(failureSentence(error, taken, true)).toContain(`It may refuse the certificate of ${CLIENT}`);
  });

  it('does not ask for a certificate where no TLS is spoken', () => {
    expect(failureSentence(failure('closed', 'ECONNRESET'), PLAIN, false)).toBe(
      `The provider could not be reached: closed.${ENDED}`,
    );
  });

  it('names the first of several attempts, as to the addresses of one name', () => {
    const attempts = [
      failure('connect ECONNREFUSED ::1:1', 'ECONNREFUSED'),
      failure('connect ECONNREFUSED 127.0.0.1:1', 'ECONNREFUSED'),
    ];
    const said = failureSentence(new AggregateError(attempts, ''), PLAIN, false);
    expect(said).toBe(`The provider could not be reached: connect ECONNREFUSED ::1:1.${REACHED}`);
  });
});

it('an answer that the gateway cut for its silence names the variable', () => {
  expect(breakSentence(failure('Body Timeout Error', 'UND_ERR_BODY_TIMEOUT'))).toContain(
    'GATEWAY_UPSTREAM_IDLE_SECONDS',
  );
  expect(breakSentence(failure('other side closed', 'UND_ERR_SOCKET'))).toBe('The provider broke its answer off.');
});
