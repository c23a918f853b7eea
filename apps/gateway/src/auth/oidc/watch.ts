import type { FetchOutcome } from '@gateway/access';
import type { Clock } from '../../process/clock.ts';
import type { Report } from '../../process/report.ts';

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
