import type { FetchOutcome } from '@gateway/access';
import { beforeEach, expect, it } from 'vitest';
import { createIdentityProviderWatch } from './identity-provider.ts';

const REFUSED = 'https://directory.example/keys: connect ECONNREFUSED 10.0.0.1:443';
const STATUS = 'https://directory.example/keys: it answered with status 503';
const AGAIN = 'OIDC_ISSUER: the directory serves its keys again.';
let lines: string[];
let now: number;
let observed: FetchOutcome;
beforeEach(() => {
  lines = [];
  now = 1000;
  observed = createIdentityProviderWatch(
    (line) => lines.push(line),
    () => now,
  );
});

it('logs an outage once, with its cause, and its end once', () => {
  for (const fault of [null, REFUSED, REFUSED, null, null]) observed(fault);
  expect(lines).toEqual([
    'OIDC_ISSUER: the directory serves no keys: https://directory.example/keys: connect ECONNREFUSED 10.0.0.1:443. ' +
      'Until it does, calls with tokens that need them are refused with 503.',
    AGAIN,
  ]);
});

it('logs another cause during the outage, at most once a minute', () => {
  for (let round = 0; round < 5; round += 1) for (const fault of [REFUSED, STATUS]) observed(fault);
  expect(lines).toHaveLength(1);
  now += 60_000;
  for (let round = 0; round < 5; round += 1) for (const fault of [REFUSED, STATUS]) observed(fault);
  expect(lines).toEqual([expect.stringContaining('ECONNREFUSED'), expect.stringContaining('status 503')]);
});

it('logs the next outage', () => {
  for (const fault of [REFUSED, null, REFUSED]) observed(fault);
  expect(lines).toHaveLength(3);
});
