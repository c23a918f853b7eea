import { hash, timingSafeEqual } from 'node:crypto';
import {
  type Capability,
  graceEndOf,
  type License,
  type LicenseClaims,
  licenseRefusal,
  licenseWarning,
  termOf,
  VENDOR_PUBLIC_KEY,
  verifyLicense,
} from '@gateway/access';
import type { Reading, Variable } from '@gateway/configuration';
import { type Refusal, refusal } from '@gateway/contract';
import type { LicenseSeats } from '@gateway/domain/organization/gateway';
import type { Check } from '../auth/ports.ts';
import type { Clock, Report } from '../process/report.ts';

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

/**
 * Tells whether a workstation presents this deployment's own license (workstation-1), and whether that still runs and covers
 * the control plane. No header, another party's license and one that has expired are one and the same refusal
 * (workstation-1).
 * @param clock milliseconds since the epoch
 */
export function licenseProof(license: License, clock: () => number): (authorization: string) => Refusal | null {
  const expected = digestOf(license.text);
  return (authorization) => {
    const [, presented] = /^bearer[ \t]+(\S+)[ \t]*$/i.exec(authorization) ?? [];
    // Digests have one length, so the comparison takes the same time for any value.
    const same = timingSafeEqual(digestOf(presented ?? ''), expected);
    if (presented === undefined || !same) return refusal('license-not-presented');
    const refused = licenseRefusal(license.claims, 'workstation-control', clock());
    return refused?.code === 'license-expired' ? refusal('license-not-presented') : refused;
  };
}

function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

const text: Variable = {
  name: 'GATEWAY_LICENSE',
  form: 'the license of this deployment: three parts separated by dots',
  fallback: 'GATEWAY_LICENSE_FILE, one of the two is required',
  effect: 'The license. Not together with GATEWAY_LICENSE_FILE.',
};
const file: Variable = {
  name: 'GATEWAY_LICENSE_FILE',
  form: 'the path of a file that holds the license',
  fallback: 'GATEWAY_LICENSE, one of the two is required',
  effect: 'The license, read at start from a file.',
};

export const LICENSE_VARIABLES: readonly Variable[] = [text, file];

/**
 * The deployment's license, or null beside a fault: missing, unreadable, badly signed, or expired beyond its grace
 * (refusals-23).
 * @param now milliseconds since 1970
 */
export async function readLicense(
  reading: Reading,
  now: number = Date.now(),
  publicKey: string = VENDOR_PUBLIC_KEY,
): Promise<License | null> {
  const variable = reading.text(text) === null && reading.text(file) !== null ? file : text;
  if (reading.text(text) !== null && reading.text(file) !== null) {
    reading.fault(text, 'and GATEWAY_LICENSE_FILE are both set. Keep one.');
    return null;
  }
  const found = variable === file ? reading.file(file) : reading.text(text);
  if (found === null) {
    if (variable === text)
      reading.fault(
        text,
        'is not set. Set it to the license of this deployment, or GATEWAY_LICENSE_FILE to the path of a file that holds it.',
      );
    return null;
  }
  const verified = await verifyLicense(found.trim(), publicKey);
  if (!verified.ok) {
    reading.fault(
      variable,
      `the license cannot be accepted: ${verified.fault.sentence}. Ask the vendor for the license of this deployment.`,
    );
    return null;
  }
  const { claims } = verified.license;
  if (termOf(claims, now) === 'elapsed') {
    reading.fault(
      variable,
      `the license expired, and its grace elapsed on ${graceEndOf(claims).toISOString().slice(0, 10)}. Contact the vendor to renew it.`,
    );
    return null;
  }
  return verified.license;
}
