import type { LicenseClaims } from '@gateway/access';
import { DatabaseUnavailable } from '@gateway/database';
import type { SeatStanding } from '@gateway/domain/organization/gateway';
import { beforeEach, describe, expect, it } from 'vitest';
import { createLicenseChecks, type LicenseChecks } from './license.ts';

const NOW = Date.UTC(2026, 4, 10);
const DAY = 86_400_000;
const CLAIMS: LicenseClaims = {
  licensee: 'Acme',
  deployment: 'north',
  seats: 2,
  capabilities: ['inference'],
  iat: NOW / 1000,
  exp: NOW / 1000 + 10 * 86_400,
  graceDays: 5,
};

let clock: number;
let asked: string[];
let held: Set<string>;
let down: boolean;
let monthLeftMs: number;
let answersAfter: number;
let checks: LicenseChecks;

/** Seats in memory, as the database would give them. */
const seats = {
  async standing(subject: string, limit: number | null): Promise<SeatStanding> {
    asked.push(`standing ${subject}`);
    if (down) throw new DatabaseUnavailable('down');
    const full = limit !== null && held.size >= limit;
    clock += answersAfter;
    return { kind: held.has(subject) ? 'held' : full ? 'full' : 'free', monthLeftMs };
  },
  async claim(subject: string, limit: number | null): Promise<boolean> {
    asked.push(`claim ${subject}`);
    if (down) throw new DatabaseUnavailable('down');
    if (limit === null || held.size < limit) held.add(subject);
    return held.has(subject);
  },
};

beforeEach(() => {
  clock = NOW;
  asked = [];
  held = new Set();
  down = false;
  monthLeftMs = 20 * DAY;
  answersAfter = 0;
  checks = createLicenseChecks({ claims: CLAIMS, seats, clock: () => clock });
});
const covers = async (subject: string, capability: 'inference' | 'agent-execution' = 'inference') =>
  (await checks.covers(capability, subject, 0))?.code ?? 'covered';
const claim = async (subject: string) => (await checks.claim(subject, 0))?.code ?? 'seated';

describe('the license check of a call', () => {
  it('takes a seat only when the call is about to be served', async () => {
    expect([await covers('a'), await covers('b'), await covers('c')]).toEqual(['covered', 'covered', 'covered']);
    expect([await claim('a'), await claim('b')]).toEqual(['seated', 'seated']);
    expect([await covers('c'), await covers('a')]).toEqual(['license-seats', 'covered']);
    expect(await claim('c')).toBe('license-seats');
  });
  it('sends no query for thirty seconds once a seat is known', async () => {
    await claim('a');
    await covers('a');
    asked = [];
    clock += 29_999;
    expect([await covers('a'), await claim('a')]).toEqual(['covered', 'seated']);
    expect(asked).toEqual([]);
    clock += 1;
    await covers('a');
    expect(asked).toEqual(['standing a']);
  });
  it('does not reuse a seat after the end of the month', async () => {
    monthLeftMs = 1000;
    await claim('a');
    await covers('a');
    held.clear();
    held.add('x').add('y');
    clock += 1001;
    expect(await covers('a')).toBe('license-seats');
  });
  it('does not reuse a seat after the end of the month, even after a late answer', async () => {
    monthLeftMs = 1000;
    await claim('a');
    answersAfter = 900;
    await covers('a');
    held.clear();
    held.add('x').add('y');
    clock += 100;
    expect(await covers('a')).toBe('license-seats');
  });
  it('never caches that none was left: an additional seat is used immediately', async () => {
    held.add('x').add('y');
    expect(await covers('a')).toBe('license-seats');
    held.delete('x');
    expect(await covers('a')).toBe('covered');
  });
  it('forgets every seat once the clock is set back', async () => {
    await covers('a');
    held.add('a');
    await covers('a');
    clock -= 3_600_000;
    asked = [];
    await covers('a');
    expect(asked).toEqual(['standing a']);
  });
  it('leaves the call undecided while the database does not answer', async () => {
    down = true;
    expect([await covers('a'), await claim('a')]).toEqual(['undecided', 'undecided']);
  });
  it('ends with its grace period, even with free seats', async () => {
    await claim('a');
    await covers('a');
    clock = NOW + 15 * DAY - 1;
    expect(await covers('a')).toBe('covered');
    clock += 1;
    expect(await covers('a')).toBe('license-expired');
  });
  it('covers no other capability, before any seat is requested', async () => {
    expect(await covers('a', 'agent-execution')).toBe('license-capability');
    expect(asked).toEqual([]);
  });
});
