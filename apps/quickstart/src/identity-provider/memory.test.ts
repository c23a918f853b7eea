import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Memory } from './provider.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
});
afterEach(() => vi.useRealTimers());
/** Names that no other test of this file uses: what is stored is shared by all. */
let last = 0;
const fresh = (): string => `id-${(last += 1)}`;

describe('what the identity provider stores', () => {
  it('is found by its id within its kind, until its time is over', async () => {
    const [sessions, codes] = [new Memory('Session'), new Memory('DeviceCode')];
    const id = fresh();
    await sessions.upsert(id, { accountId: 'alice' }, 60);
    expect(await sessions.find(id)).toEqual({ accountId: 'alice' });
    expect(await codes.find(id)).toBeUndefined();
    vi.advanceTimersByTime(60_000);
    expect(await sessions.find(id)).toEqual({ accountId: 'alice' });
    vi.advanceTimersByTime(1);
    expect(await sessions.find(id)).toBeUndefined();
  });

  it('lasts a day if it has no time of its own', async () => {
    const clients = new Memory('Client');
    const id = fresh();
    await clients.upsert(id, {}, 0);
    vi.advanceTimersByTime(86_400_000);
    expect(await clients.find(id)).toEqual({});
    vi.advanceTimersByTime(1);
    expect(await clients.find(id)).toBeUndefined();
  });

  it('is found by what a person types, and by its session, within its kind and its time', async () => {
    const [codes, sessions] = [new Memory('DeviceCode'), new Memory('Session')];
    const [userCode, uid] = [fresh(), fresh()];
    await codes.upsert(fresh(), { userCode, grantId: 'g' }, 60);
    await sessions.upsert(fresh(), { uid }, 60);
    expect(await codes.findByUserCode(userCode)).toMatchObject({ userCode });
    expect(await sessions.findByUid(uid)).toMatchObject({ uid });
    expect(await sessions.findByUserCode(userCode)).toBeUndefined();
    expect(await codes.findByUid(uid)).toBeUndefined();
    vi.advanceTimersByTime(60_001);
    expect(await codes.findByUserCode(userCode)).toBeUndefined();
  });

  it('is replaced by a later one of its id, and gone once it is removed', async () => {
    const codes = new Memory('AuthorizationCode');
    const id = fresh();
    await codes.upsert(id, { scope: 'one' }, 1);
    await codes.upsert(id, { scope: 'two' }, 60);
    vi.advanceTimersByTime(2000);
    expect(await codes.find(id)).toEqual({ scope: 'two' });
    await codes.destroy(id);
    expect(await codes.find(id)).toBeUndefined();
    await codes.destroy(id);
  });

  it('remembers when a code was used, so that it is not used twice', async () => {
    const codes = new Memory('AuthorizationCode');
    const id = fresh();
    await codes.upsert(id, {}, 60);
    await codes.consume(id);
    expect(await codes.find(id)).toEqual({ consumed: Date.UTC(2026, 0, 1) / 1000 });
    await codes.consume(fresh());
  });

  it('of one grant ends together, in all kinds, and nothing of another one', async () => {
    const [access, refresh] = [new Memory('AccessToken'), new Memory('RefreshToken')];
    const [grantId, otherGrant] = [fresh(), fresh()];
    const [one, two, other] = [fresh(), fresh(), fresh()];
    await access.upsert(one, { grantId }, 60);
    await refresh.upsert(two, { grantId }, 60);
    await access.upsert(other, { grantId: otherGrant }, 60);
    await refresh.revokeByGrantId(grantId);
    expect([await access.find(one), await refresh.find(two), await access.find(other)]).toEqual([
      undefined,
      undefined,
      { grantId: otherGrant },
    ]);
  });
});
