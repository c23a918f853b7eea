import type { FetchOutcome } from '@gateway/access';
import { beforeEach, expect, it } from 'vitest';
import { createDirectoryWatch } from './watch.ts';

const REFUSED = 'https://directory.example/keys: connect ECONNREFUSED 10.0.0.1:443';
const STATUS = 'https://directory.example/keys: it answered with status 503';
const AGAIN = 'OIDC_ISSUER: the directory gives its keys again.';
let lines: string[];
let now: number;
let heard: FetchOutcome;
beforeEach(() => {
  lines = [];
  now = 1000;
  heard = createDirectoryWatch(
    (line) => lines.push(line),
    () => now,
  );
});

it('tells an outage once, with its cause, and once that it is over', () => {
  for (const fault of [null, REFUSED, REFUSED, null, null]) heard(fault);
  expect(lines).toEqual([
    'OIDC_ISSUER: the directory gives no keys, and calls with tokens that need them are refused with 503 meanwhile: ' +
      'https://directory.example/keys: connect ECONNREFUSED 10.0.0.1:443.',
    AGAIN,
  ]);
});

it('tells another cause while it lasts, once a minute at most', () => {
  for (let round = 0; round < 5; round += 1) for (const fault of [REFUSED, STATUS]) heard(fault);
  expect(lines).toHaveLength(1);
  now += 60_000;
  for (let round = 0; round < 5; round += 1) for (const fault of [REFUSED, STATUS]) heard(fault);
  expect(lines).toEqual([expect.stringContaining('ECONNREFUSED'), expect.stringContaining('status 503')]);
});

it('tells the next outage again', () => {
  for (const fault of [REFUSED, null, REFUSED]) heard(fault);
  expect(lines).toHaveLength(3);
});
