import type { FetchOutcome } from '@gateway/access';
import type { Clock } from '../../process/clock.ts';
import type { Report } from '../../process/report.ts';

/** Between two faults that are told while it lasts: a name of several addresses may fail at each in turn. */
const QUIET = 60_000;

/** Whose keys are watched, and the variable that names it. */
interface Watched {
  readonly setting: string;
  readonly source: string;
}

/** Tells the operator of a directory that gives no keys, of another cause, and when it is over: anybody who is refused meanwhile reads no cause. */
export function createDirectoryWatch(
  report: Report,
  clock: Clock,
  { setting, source }: Watched = { setting: 'OIDC_ISSUER', source: 'the directory' },
): FetchOutcome {
  let told: { readonly fault: string; readonly at: number } | null = null;
  return (fault) => {
    if (fault === null) {
      if (told !== null) report(`${setting}: ${source} gives its keys again.`, 'info');
      told = null;
      return;
    }
    const at = clock();
    if (told !== null && (fault === told.fault || at - told.at < QUIET)) return;
    told = { fault, at };
    report(
      `${setting}: ${source} gives no keys, and calls with tokens that need them are refused with 503 meanwhile: ${fault}.`,
    );
  };
}
