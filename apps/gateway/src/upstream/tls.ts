import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import type { UpstreamTls } from '../config/upstream.ts';

/**
 * Authorities and client certificate of every outbound TLS connection: those of Node.js, of the system, and the added ones; none
 * is removed. Built at the first use, because a gateway with only plain HTTP providers does not need them.
 */
export function secureContextOf(tls: UpstreamTls): () => SecureContext {
  let context: SecureContext | null = null;
  return () => {
    context ??= createSecureContext({
      ca: [...new Set([...getCACertificates('default'), ...getCACertificates('system'), ...tls.addedAuthorities])],
      ...tls.client,
    });
    return context;
  };
}
