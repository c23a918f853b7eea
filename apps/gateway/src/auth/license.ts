import { type Capability, type LicenseClaims, licenseRefusal, licenseWarning } from '@gateway/access';
import { type Refusal, refusal } from '@gateway/contract';
import type { LicenseSeats } from '@gateway/database/gateway';
import type { Clock, Report } from '../process/report.ts';
import type { Check } from './ports.ts';

/** How long a known seat of a subject is used without another query (roles-21). Milliseconds. */
const SEAT_KEPT = 30_000;
/** Subjects remembered; more ask the database each time. */
const MOST_KEPT = 100_000;

/** Checks the license for a call. Deadlines are on the clock of `performance.now()`. */
export interface LicenseChecks {
  /** Before the rights: expiry, capability, and whether the subject has a seat or one is left. */
  covers(capability: Capability, subject: string, deadline: number): Refusal | null | Promise<Refusal | null>;
  /** Takes the seat after every other check has passed, so that only callers who are served are counted. */
  readonly claim: Check<string>;
}

export interface LicenseCheckParts {
  readonly claims: LicenseClaims;
  readonly seats: LicenseSeats;
  readonly clock: Clock;
}

/**
 * The check of the license (refusals-10). Only a seat that was taken is cached, never that none is left: a seat remains taken
 * until the month ends.
 */
export function createLicenseChecks({ claims, seats, clock }: LicenseCheckParts): LicenseChecks {
  const kept = new Map<string, number>();

  /** @param asked when the database was asked: the rest of the month is counted from then */
  function keep(subject: string, monthLeft: number, asked: number): void {
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(subject, asked + Math.min(SEAT_KEPT, monthLeft));
  }

  function isKept(subject: string): boolean {
    const until = kept.get(subject);
    return until !== undefined && clock() < until && until - clock() <= SEAT_KEPT;
  }

  async function standing(subject: string, deadline: number): Promise<Refusal | null> {
    const asked = clock();
    try {
      const { kind, monthLeftMs } = await seats.standing(subject, claims.seats, deadline);
      if (kind === 'held') keep(subject, monthLeftMs, asked);
      return kind === 'full' ? refusal('license-seats') : null;
    } catch {
      return refusal('undecided');
    }
  }

  async function claim(subject: string, deadline: number): Promise<Refusal | null> {
    try {
      return (await seats.claim(subject, claims.seats, deadline)) ? null : refusal('license-seats');
    } catch {
      return refusal('undecided');
    }
  }

  return {
    covers: (capability, subject, deadline) =>
      licenseRefusal(claims, capability, clock()) ?? (isKept(subject) ? null : standing(subject, deadline)),
    claim: (subject, deadline) => (isKept(subject) ? null : claim(subject, deadline)),
  };
}

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
