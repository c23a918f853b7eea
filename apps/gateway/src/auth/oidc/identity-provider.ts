import {
  createIdentityProvider,
  createOidcTransport,
  discoverIdentityProvider,
  type TokenVerifier,
} from '@gateway/access';
import { refusal } from '@gateway/contract';
import type { IdentityProviderConfiguration } from '../../config/oidc.ts';
import type { Clock } from '../../process/clock.ts';
import type { Report } from '../../process/report.ts';
import type { IdentityProviderPort } from '../ports.ts';
import { registration } from './registration.ts';
import { createIdentityProviderWatch } from './watch.ts';

export interface IdentityProviderParts {
  readonly configuration: IdentityProviderConfiguration;
  /** Authorities from UPSTREAM_TLS_CA_FILE, used for every outbound connection (relay-24). PEM. */
  readonly addedAuthorities: readonly string[];
  /** HTTPS_PROXY and NO_PROXY, as configured. */
  readonly proxy: Readonly<Record<string, string | undefined>>;
  /** Enters a subject into the registry of accounts. */
  readonly register: (subject: string) => Promise<void>;
  readonly report: Report;
  readonly clock: Clock;
}

/** Identity provider tokens in the form for the pipeline. */
export function openIdentityProvider(parts: IdentityProviderParts): IdentityProviderPort {
  const { configuration, addedAuthorities, proxy, register, report, clock } = parts;
  const ca = [...addedAuthorities, ...configuration.ca];
  const onFetch = createIdentityProviderWatch(report, clock);
  // A wrong issuer is reported at the start, not with the first token.
  discoverIdentityProvider(configuration.issuer, createOidcTransport({ ca, proxy })).catch((error: unknown) =>
    onFetch(error instanceof Error ? error.message : String(error)),
  );
  return identityProviderPort(createIdentityProvider({ ...configuration, ca, proxy, onFetch }), register, report);
}

export function identityProviderPort(
  verifier: TokenVerifier,
  register: (subject: string) => Promise<void>,
  report: Report,
): IdentityProviderPort {
  return {
    async verify(token) {
      const verified = await verifier.verify(token);
      return verified.ok ? verified : refusal(verified.reason, { details: { detail: verified.detail } });
    },
    met: registration(register, report),
  };
}
