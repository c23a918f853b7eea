import type { LocalJWKSet } from 'jose';
import { createIssuerKeys, type FetchOutcome } from '../oidc/keys.ts';
import type { TokenVerdict } from '../oidc/token.ts';
import { createOidcTransport, type TransportOptions } from '../oidc/transport.ts';
import { createFileKeys } from './file-keys.ts';
import type { WorkloadRule } from './rules.ts';
import { createWorkloadVerifier, readIssuer } from './verifier.ts';

/** One issuer of workloads' tokens: its rules, and the source of its keys. */
export interface WorkloadSource {
  readonly issuer: string;
  readonly rules: readonly WorkloadRule[];
  readonly keys:
    | { readonly kind: 'fetched'; readonly ca: readonly string[] }
    | { readonly kind: 'file'; readonly first: LocalJWKSet; readonly read: () => string };
}

export interface Workloads {
  /** The decision on a token of one of the issuers; null for a token of another issuer. */
  verify(token: string): Promise<TokenVerdict> | null;
}

/** @param transport the connection to issuers, and the authorities that apply to all of them */
export function createWorkloads(
  sources: readonly WorkloadSource[],
  transport: Omit<TransportOptions, 'ca'> & { readonly ca: readonly string[] },
  onFetch: (issuer: string) => FetchOutcome,
  now: () => number,
): Workloads {
  const verifiers = new Map(
    sources.map(({ issuer, rules, keys: from }) => {
      const keys =
        from.kind === 'file'
          ? createFileKeys(from.read, from.first, now, onFetch(issuer))
          : createIssuerKeys(
              issuer,
              createOidcTransport({ ...transport, ca: [...transport.ca, ...from.ca] }),
              now,
              onFetch(issuer),
              'the issuer in GATEWAY_WORKLOADS_FILE',
            );
      return [issuer, createWorkloadVerifier(rules, keys, now)] as const;
    }),
  );
  return {
    verify(token) {
      const issuer = readIssuer(token);
      return issuer === null ? null : (verifiers.get(issuer)?.(token) ?? null);
    },
  };
}
