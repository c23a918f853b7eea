import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { engineAllows } from '../testing/engine-word.ts';
import { forbidPolicy, policyRequest } from '../testing/policies.ts';
import { scopeFits } from './authorize.ts';
import { compilePolicySet } from './check.ts';
import {
  compareMoments,
  dateOf,
  durationOf,
  instantOf,
  liesIn,
  type Network,
  networkOf,
  refutes,
  sameNetwork,
  timeOf,
} from './refute.ts';
import type { PolicyRequest } from './request.ts';

it('a refuted policy is silent in the engine, too, and most silent policies are refuted', () => {
  let refutations = 0;
  let silent = 0;
  const property = fc.property(
    forbidPolicy,
    fc.array(policyRequest, { minLength: 12, maxLength: 12 }),
    (text, asked) => {
      const [policy] = compilePolicySet(text);
      if (policy === undefined) throw new Error('no policy');
      for (const request of asked) {
        const isRefuted = !scopeFits(policy.tree, request) || refutes(policy.tree.conditions, request);
        const isSilent = engineAllows(text, request);
        if (isRefuted && !isSilent) throw new Error(`the engine does not say nothing of ${JSON.stringify(request)}`);
        if (isRefuted) refutations += 1;
        if (isSilent) silent += 1;
      }
    },
  );
  fc.assert(property, { numRuns: 250, endOnFailure: true });
  expect(refutations).toBeGreaterThan(0.9 * silent);
});

describe('the edge of a time is the engine’s, to the millisecond', () => {
  const AT = Date.parse('2026-07-01T12:34:56.789Z');
  const asked = (at: number): PolicyRequest => ({
    subject: 'alice',
    roles: ['utilisateur-standard'],
    permission: 'inference:appeler',
    resource: { type: 'Endpoint', name: 'chat', model: 'qwen3', provider: 'local' },
    call: { session: null, method: 'GET', path: '/', sourceAddress: null, at: new Date(at) },
  });
  it.each(['<', '<=', '>', '>=', '==', '!='])('%s', (is) => {
    for (const [time, edge] of [
      ['context.time', 'datetime("2026-07-01T12:34:56.789Z")'],
      ['context.time.toTime()', 'duration("12h34m56s789ms")'],
    ])
      for (const word of ['when', 'unless'])
        for (const difference of [-1, 0, 1]) {
          const text = `forbid(principal, action, resource) ${word} { ${time} ${is} ${edge} };`;
          const request = asked(AT + difference);
          const areRefuted = compilePolicySet(text).every(({ tree }) => refutes(tree.conditions, request));
          expect([text, difference, areRefuted]).toEqual([text, difference, engineAllows(text, request)]);
        }
  });
});

const net = (text: string): Network => networkOf(text) as Network;

it.each([
  ['10.1.2.3', '10.0.0.0/8', true],
  ['10.1.2.3', '10.1.2.3', true],
  ['10.1.2.3', '10.1.2.2/31', true],
  ['10.255.255.255', '10.0.0.0/8', true],
  ['10.0.0.0/8', '10.0.0.0/16', false],
  ['11.0.0.0', '10.0.0.0/8', false],
  ['10.0.0.0/8', '10.1.0.0/16', false],
  ['10.1.0.0/16', '10.0.0.0/8', true],
  ['1.2.3.4', '0.0.0.0/0', true],
  ['1.2.3.4', '::/0', false],
  ['2001:db8::7', '2001:db8::/32', true],
  ['2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db8::/32', true],
  ['2001:db9::', '2001:db8::/32', false],
  ['1:2:3:4:5:6:7:8', '1:2:3:4::/64', true],
  ['::1', '::/127', true],
])('%s in %s: %j', (one, other, expected) => expect(liesIn(net(one), net(other))).toBe(expected));

it.each([
  '',
  '10.0.0',
  '10.0.0.0/33',
  '10.0.0.0/08',
  '10.0.0.0/',
  '::/129',
  '::ffff:10.0.0.1',
  'fe80::1%eth0',
  '1/2/3',
  '010.0.0.1',
])('leaves %j to the engine', (text) => expect(networkOf(text)).toBeNull());

it('recognizes one network in two notations, and distinguishes one of another width', () => {
  expect(sameNetwork(net('2001:db8::'), net('2001:DB8:0:0::0'))).toBe(true);
  expect(sameNetwork(net('10.0.0.0/8'), net('10.0.0.0/9'))).toBe(false);
  expect(sameNetwork(net('10.0.0.0/8'), net('11.0.0.0/8'))).toBe(false);
  expect(sameNetwork(net('0.0.0.0/0'), net('::/0'))).toBe(false);
});

describe('spans', () => {
  it.each([
    ['4h', 14_400_000],
    ['-1h', -3_600_000],
    ['1d2h3m4s5ms', 93_784_005],
    ['5ms', 5],
    ['5m', 300_000],
    ['0s', 0],
  ])('%s are %i ms', (text, duration) => expect(durationOf(text)).toEqual({ duration }));
  it.each(['', '-', 'h', '1h1d', '1.5h', '1w', '9223372036854775807ms', ' 1h'])('%j is left to the engine', (text) =>
    expect(durationOf(text)).toBeNull(),
  );
});

describe('instants', () => {
  it.each([
    ['2026-05-04', Date.UTC(2026, 4, 4)],
    ['2026-05-04T03:02:01Z', Date.UTC(2026, 4, 4, 3, 2, 1)],
    ['2026-05-04T03:02:01.007Z', Date.UTC(2026, 4, 4, 3, 2, 1, 7)],
  ])('%s', (text, instant) => expect(instantOf(text)).toEqual({ instant }));
  it.each([
    '',
    '2026-5-4',
    '2026-05-04T03:02:01',
    '2026-05-04T03:02:01+0200',
    '2026-13-01',
    '26-05-04',
    'x2026-05-04',
    '12026-05-04',
    '2026-02-29',
    '2026-02-30T00:00:00Z',
    '2026-04-31T00:00:00.000Z',
    '2026-05-04T24:00:00Z',
    '2026-05-04T24:00:00.000Z',
    '2026-05-04T23:59:60Z',
  ])('%j is left to the engine', (text) => expect(instantOf(text)).toBeNull());
  it('have a day and a time of it, before the epoch too', () => {
    for (const instant of [Date.UTC(2026, 4, 4, 3, 2, 1, 7), Date.UTC(1960, 4, 4, 3, 2, 1, 7)]) {
      expect(timeOf({ instant })).toEqual({ duration: 10_921_007 });
      expect(dateOf({ instant })).toEqual({ instant: instant - 10_921_007 });
    }
  });
  it('are never compared with spans', () => {
    expect(compareMoments({ instant: 2 }, { instant: 1 })).toBe(1);
    expect(compareMoments({ duration: 1 }, { duration: 1 })).toBe(0);
    expect(compareMoments({ duration: 1 }, { instant: 1 })).toBeNull();
    expect(compareMoments({ instant: 1 }, { duration: 1 })).toBeNull();
  });
});
