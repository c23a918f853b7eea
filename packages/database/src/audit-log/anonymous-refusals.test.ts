import { describe, expect, it } from 'vitest';
import { aDecision } from '../testing/index.ts';
import { AnonymousRefusals, isAnonymous } from './decision-log.ts';

const refused = (more: Parameters<typeof aDecision>[0] = {}) =>
  aDecision({ outcome: 'refused', reason: 'key-unknown', status: 401, subject: null, keyId: null, roles: [], ...more });
const numbered = (count: number) => Array.from({ length: count }, (_, index) => refused({ requestId: String(index) }));

describe('refusals of callers without a proof', () => {
  it('are those of unknown callers, unless the caller could not be determined', () => {
    expect(isAnonymous(refused())).toBe(true);
    expect(isAnonymous(refused({ subject: 'ada' }))).toBe(false);
    expect(isAnonymous(refused({ status: 503, reason: 'undecided' }))).toBe(false);
    expect(isAnonymous(aDecision({ subject: null }))).toBe(false);
  });

  it('are written unchanged within the limit for a burst', () => {
    const share = new AnonymousRefusals(0);
    const given = numbered(1000);
    for (const one of given) share.take(one, 0);
    expect(share.dueIn(0)).toBe(0);
    expect(share.due(0, 32)).toEqual(given.slice(0, 32));
    expect(share.due(0, 5000)).toEqual(given.slice(32));
    expect([share.size, share.dueIn(0)]).toEqual([0, null]);
  });

  // log-13
  it('beyond the limit are counted except the newest, none is lost, and the newest are written in order', () => {
    const share = new AnonymousRefusals(0);
    const given = numbered(22_000);
    for (const one of given) share.take(one, 0);
    const written = [...share.due(0, 5000)];
    expect(written).toEqual(given.slice(0, 1000));
    expect(share.dueIn(0)).toBe(50);
    expect(share.due(50, 32)).toEqual([given[21_900]]);
    const later = share.due(10_000, 5000);
    expect(later).toHaveLength(100);
    expect(later.at(-2)?.requestId).toBe('21999');
    expect(later.at(-1)).toMatchObject({
      outcome: 'refused',
      reason: 'key-unknown',
      status: 401,
      requestId: null,
      session: null,
      sourceAddress: '127.0.0.1',
      detail: expect.stringMatching(/^20900 refusals of this kind from \d{4}-.*Z to \d{4}-.*Z, from 127\.0\.0\.1$/),
    });
    expect(share.size).toBe(0);
  });

  it('are counted by their kind, with their source addresses', () => {
    const share = new AnonymousRefusals(0);
    for (const one of numbered(1000)) share.take(one, 0);
    share.due(0, 1000);
    for (let index = 0; index < 300; index += 1) {
      const sourceAddress = `10.0.0.${index % 3}`;
      share.take(refused({ sourceAddress, resource: `endpoint:${index}` }), 0);
      share.take(refused({ reason: 'credentials-missing', credential: 'none', sourceAddress: `10.0.1.${index}` }), 0);
    }
    const counted = share.all().slice(100);
    expect(counted).toHaveLength(2);
    for (const entry of counted) expect(entry).toMatchObject({ sourceAddress: null, requestId: null });
    const byReason = Object.fromEntries(counted.map(({ reason, ...entry }) => [reason, entry]));
    expect(byReason['key-unknown']).toMatchObject({
      resource: 'several',
      detail: expect.stringMatching(/^250 refusals.*, from 10\.0\.0\.\d, 10\.0\.0\.\d, 10\.0\.0\.\d$/),
    });
    expect(byReason['credentials-missing']).toMatchObject({
      resource: 'endpoint:chat',
      detail: expect.stringMatching(/^250 refusals.*, from many addresses$/),
    });
  });
});
