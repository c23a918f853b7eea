import {
  createIdentityProvider,
  createOidcTransport,
  createWorkloads,
  discoverIdentityProvider,
  type FetchOutcome,
  type TokenVerifier,
  type WorkloadSource,
} from '@gateway/access';
import { refusal } from '@gateway/contract';
import type { IdentityProviderConfiguration } from '../config/oidc.ts';
import type { Clock, Report } from '../process/report.ts';
import type { IdentityProviderPort } from './ports.ts';

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

interface WorkloadPortParts {
  readonly sources: readonly WorkloadSource[];
  /** Verifies the tokens of people; null where no identity provider is configured. */
  readonly directory: IdentityProviderPort | null;
  /** PEM, as for every outbound connection. */
  readonly addedAuthorities: readonly string[];
  readonly proxy: Readonly<Record<string, string | undefined>>;
  readonly register: (subject: string) => Promise<void>;
  readonly report: Report;
  readonly clock: Clock;
}

/**
 * Tokens of workloads beside those of people. The issuer that a token names, before it is verified, decides by exact match who verifies
 * it; a token of any other issuer goes to the identity provider, as it does without workloads.
 */
export function openWorkloads(parts: WorkloadPortParts): IdentityProviderPort {
  const { sources, directory, addedAuthorities, proxy, register, report, clock } = parts;
  const onFetch = (issuer: string) =>
    createIdentityProviderWatch(report, clock, { setting: 'GATEWAY_WORKLOADS_FILE', source: `the issuer ${issuer}` });
  const workloads = createWorkloads(sources, { ca: addedAuthorities, proxy }, onFetch, clock);
  return {
    async verify(token) {
      const verifying = workloads.verify(token);
      if (verifying === null) return directory === null ? refusal('directory-absent') : directory.verify(token);
      const verified = await verifying;
      return verified.ok ? verified : refusal(verified.reason, { details: { detail: verified.detail } });
    },
    met: registration(register, report),
  };
}

/** Adds subjects to the registry of accounts, each once at a time, without delaying their calls. */
function registration(register: (subject: string) => Promise<void>, report: Report): (subject: string) => void {
  const entering = new Set<string>();
  return (subject) => {
    if (entering.has(subject)) return;
    entering.add(subject);
    register(subject)
      .catch((error: unknown) =>
        report(`An identity of the identity provider could not be registered: ${String(error)}`),
      )
      .finally(() => entering.delete(subject));
  };
}

/** Minimum between two reported faults of one outage: a name with several addresses may fail at each. */
const QUIET = 60_000;

/** Whose keys are watched, and the variable that names it. */
interface Watched {
  readonly setting: string;
  readonly source: string;
}

/** Reports an identity provider without keys, a new cause, and the recovery. Refused callers see no cause. */
export function createIdentityProviderWatch(
  report: Report,
  clock: Clock,
  { setting, source }: Watched = { setting: 'OIDC_ISSUER', source: 'the directory' },
): FetchOutcome {
  let reported: { readonly fault: string; readonly at: number } | null = null;
  return (fault) => {
    if (fault === null) {
      if (reported !== null) report(`${setting}: ${source} serves its keys again.`, 'info');
      reported = null;
      return;
    }
    const at = clock();
    if (reported !== null && (fault === reported.fault || at - reported.at < QUIET)) return;
    reported = { fault, at };
    report(
      `${setting}: ${source} serves no keys: ${fault}. Until it does, calls with tokens that need them are refused with 503.`,
    );
  };
}
