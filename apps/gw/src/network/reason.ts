import { errorCode, errorMessage, firstError } from '@gateway/contract/error-code';
import { ProxyFailed } from './proxies.ts';

/** Protocol, host and port: what of an address is shown to people. */
export function originOf(url: string): string {
  return new URL(url).origin;
}

const BROKEN = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EAI_AGAIN', 'ECONNABORTED']);

/** Whether a connection was refused or broke: another try may succeed. */
export function isBrokenConnection(error: unknown): boolean {
  return BROKEN.has(errorCode(firstError(error)));
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there. Start the gateway, or correct its address in the configuration.',
  ENOTFOUND: 'its name is not known. Correct the address in the configuration.',
  EAI_AGAIN: 'its name could not be looked up. Check the network.',
  ECONNRESET: 'the connection was closed.',
  ETIMEDOUT: 'it did not answer in time. Check the network.',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate has an authority that is not known. Set NODE_EXTRA_CA_CERTS to its file.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate has an authority that is not known. Set NODE_EXTRA_CA_CERTS to its file.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed. Set NODE_EXTRA_CA_CERTS to its file.',
  CERT_HAS_EXPIRED: 'its certificate has expired.',
};

/** Why a connection failed, as the end of a sentence that begins with the address. */
export function networkReason(error: unknown): string {
  const inner = firstError(error);
  if (inner instanceof ProxyFailed) return `${inner.message}.`;
  return REASONS[errorCode(inner)] ?? `${errorMessage(inner)}.`;
}
