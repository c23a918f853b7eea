import { createWorkloads, type WorkloadSource } from '@gateway/access';
import { refusal } from '@gateway/contract';
import type { Clock } from '../../process/clock.ts';
import type { Report } from '../../process/report.ts';
import type { IdentityProviderPort } from '../ports.ts';
import { registration } from './registration.ts';
import { createIdentityProviderWatch } from './watch.ts';

export interface WorkloadPortParts {
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
