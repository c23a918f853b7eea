import { errorCode, firstError, isUntrustedAuthority } from '@gateway/contract';
import { createRecurringFault, type RecurringFault, type Report } from '../process/report.ts';

/** The route of a connection, as far as it decides which variable fixes a failure. */
export type Way = 'direct' | 'forward' | 'tunnel';

/** What of an upstream decides which variable fixes its failure. */
export interface Taken {
  readonly way: Way;
  readonly secure: boolean;
}

const NOT_TLS = 'ERR_SSL_WRONG_VERSION_NUMBER';
const CLIENT_REFUSED = /ALERT|CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE/;
/** The gateway ended an answer that was silent for too long. */
const SILENT = 'UND_ERR_BODY_TIMEOUT';
const CLOSED = /^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/;
const NOT_REACHED = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/;

/**
 * The sentence of a 502: the network's error, and the variable that fixes it, if any (refusals-16). It never contains a header or
 * a key, because only the connection's error is used.
 */
export function failureSentence(error: Error, taken: Taken, clientCertificate: boolean): string {
  const cause = firstError(error) as Error;
  const message = messageOf(cause) || errorCode(cause) || 'the connection failed';
  return `The provider could not be reached: ${message.replace(/\.$/, '')}.${hint(cause, taken, clientCertificate)}`;
}

/** Why an answer ended before it was whole: the provider broke it off, or the gateway cut it. */
export function breakSentence(error: Error): string {
  if (errorCode(error) !== SILENT) return 'The provider broke its answer off.';
  return 'The gateway cut the answer: the provider sent nothing for as long as GATEWAY_UPSTREAM_IDLE_SECONDS allows.';
}

/** Without OpenSSL's source location, and without the advice of Node.js to the operator. */
function messageOf(error: Error): string {
  // A status below 100 passes undici's parser, but fails an assertion that quotes its own sources.
  if (errorCode(error) === 'ERR_ASSERTION') return 'its answer does not match the HTTP/1.1 protocol';
  const { reason } = error as { readonly reason?: unknown };
  if (typeof reason === 'string' && errorCode(error).startsWith('ERR_SSL_')) return reason;
  const [line = ''] = error.message.split('\n', 1);
  return line.replace(/; if the root CA is installed locally.*$/, '').trim();
}

function hint(error: Error, { way, secure }: Taken, clientCertificate: boolean): string {
  const code = errorCode(error);
  if (code === NOT_TLS) {
    return ' It does not speak TLS there: check whether its Base URL begins with http:// or has another port.';
  }
  if (isUntrustedAuthority(code)) return ' Set UPSTREAM_TLS_CA_FILE to the authority that issued its certificate.';
  // After a TLS 1.3 handshake a server that misses a client certificate often just closes.
  if (CLIENT_REFUSED.test(code) || (secure && CLOSED.test(code))) {
    const what = clientCertificate ? 'It may refuse the certificate of' : 'It may ask for a client certificate: set';
    return ` ${what} UPSTREAM_TLS_CLIENT_CERT_FILE and UPSTREAM_TLS_CLIENT_KEY_FILE.`;
  }
  if (way !== 'direct') {
    const variable = way === 'tunnel' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
    return ` The gateway uses the proxy of ${variable}: correct it, or add the provider to NO_PROXY.`;
  }
  if (NOT_REACHED.test(code)) {
    return ' Check its Base URL; where it is reached through a proxy only, set HTTPS_PROXY or HTTP_PROXY.';
  }
  if (CLOSED.test(code)) {
    return ' It closed the connection before it answered: look into its log, and check whether its Base URL needs https:// or another port.';
  }
  return '';
}

/** Failed connections in this many milliseconds after which a provider is skipped. */
const FAILURES = 3;
const WITHIN_MS = 10_000;
const SKIPPED_MS = 5_000;

interface Unreached {
  /** When its last connections failed, at most `FAILURES - 1`. */
  failedAt: number[];
  skippedUntil: number;
  readonly fault: RecurringFault;
}

/**
 * Providers that could not be reached lately, of endpoints with a standby. While one is skipped, its calls go to the standby at
 * once. This decides about no caller, so each process has its own.
 */
export class UnreachedProviders {
  readonly #report: Report;
  readonly #onSkip: (provider: string) => void;
  readonly #now: () => number;
  readonly #providers = new Map<string, Unreached>();

  /** @param onSkip gets the slug of a provider that is skipped from now on. @param now in milliseconds, never set. */
  constructor(report: Report, onSkip: (provider: string) => void, now: () => number = () => performance.now()) {
    this.#report = report;
    this.#onSkip = onSkip;
    this.#now = now;
  }

  isSkipped(provider: string): boolean {
    const known = this.#providers.get(provider);
    return known !== undefined && this.#now() < known.skippedUntil;
  }

  /** A connection failed. Failures during a skip are of attempts from before it. */
  failed(provider: string): void {
    const now = this.#now();
    const known = this.#providers.get(provider) ?? this.#added(provider);
    if (now < known.skippedUntil) return;
    known.failedAt = [...known.failedAt.filter((at) => now - at < WITHIN_MS), now];
    if (known.failedAt.length < FAILURES) return;
    known.failedAt = [];
    known.skippedUntil = now + SKIPPED_MS;
    this.#onSkip(provider);
    known.fault.report(`${FAILURES} connections failed within ${WITHIN_MS / 1000} seconds`);
  }

  close(): void {
    for (const { fault } of this.#providers.values()) fault.settle();
  }

  #added(provider: string): Unreached {
    const sentence = `The provider ${provider} is skipped for ${SKIPPED_MS / 1000} seconds, and standbys serve its calls`;
    const added = { failedAt: [], skippedUntil: 0, fault: createRecurringFault(sentence, this.#report) };
    this.#providers.set(provider, added);
    return added;
  }
}
