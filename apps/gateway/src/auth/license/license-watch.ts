import { type LicenseClaims, licenseWarning } from '@gateway/access';
import type { Clock } from '../../process/clock.ts';
import type { Report } from '../../process/report.ts';

const DAY = 86_400_000;

/** Says at start and once a day that the license nears its end, from 30 days before it. @returns how to stop */
export function watchLicense(claims: LicenseClaims, clock: Clock, report: Report): () => void {
  const look = (): void => {
    const warning = licenseWarning(claims, clock());
    if (warning !== null) report(warning);
  };
  look();
  const timer = setInterval(look, DAY).unref();
  return () => clearInterval(timer);
}
