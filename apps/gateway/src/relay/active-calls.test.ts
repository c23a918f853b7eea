import type { StandingQuery, Standings } from '@gateway/domain/session/gateway';
import { sessionKey } from '@gateway/domain/session/gateway';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ActiveCall, ActiveCalls } from './active-calls.ts';

const NOBODY: Standings = {
  revokedSessions: new Set(),
  revokedSubjects: new Set(),
  disabledSubjects: new Set(),
  revokedKeys: new Set(),
  interruptedCommands: new Set(),
};

let calls: ActiveCalls;
let asked: StandingQuery[];
let answer: () => Promise<Standings>;
let ended: string[];
beforeEach(() => {
  vi.useFakeTimers();
  [asked, ended] = [[], []];
  answer = async () => NOBODY;
  calls = new ActiveCalls({
    standings: {
      read(query) {
        asked.push(query);
        return answer();
      },
    },
  });
});
afterEach(() => {
  calls.close();
  vi.useRealTimers();
});

const call = (name: string, more: Partial<ActiveCall> = {}): ActiveCall => ({
  slot: -1,
  subject: 'ada',
  session: null,
  keyId: null,
  registered: true,
  revoke: (code) => ended.push(`${name}: ${code}`),
  ...more,
});
const round = (): Promise<unknown> => vi.advanceTimersByTimeAsync(300);

describe('a running answer', () => {
  it.each<[what: string, standings: Partial<Standings>, code: string]>([
    ['its key', { revokedKeys: new Set(['key']) }, 'key-revoked'],
    ['its account', { disabledSubjects: new Set(['ada']) }, 'account-disabled'],
    ['its subject', { revokedSubjects: new Set(['ada']) }, 'subject-revoked'],
    ['its session', { revokedSessions: new Set([sessionKey({ subject: 'ada', session: 'one' })]) }, 'session-revoked'],
    [
      'all of them',
      {
        revokedKeys: new Set(['key']),
        disabledSubjects: new Set(['ada']),
        revokedSubjects: new Set(['ada']),
        revokedSessions: new Set([sessionKey({ subject: 'ada', session: 'one' })]),
      },
      'key-revoked',
    ],
  ])('ends for %s, and others continue', async (_what, standings, code) => {
    calls.add(call('own', { session: 'one', keyId: 'key' }));
    calls.add(call('of another', { subject: 'eve', session: 'one', keyId: 'other' }));
    calls.add(call('of nobody’s session', { subject: 'bob' }));
    answer = async () => ({ ...NOBODY, ...standings });
    await round();
    expect(ended).toEqual([`own: ${code}`]);
    await round();
    expect(ended).toHaveLength(1);
    expect(calls.size).toBe(2);
  });

  it('that ended while the database was asked is not ended again', async () => {
    const held = Promise.withResolvers<Standings>();
    answer = () => held.promise;
    const over = calls.add(call('own'));
    await round();
    over();
    held.resolve({ ...NOBODY, revokedSubjects: new Set(['ada']) });
    await round();
    expect([ended, calls.size]).toEqual([[], 0]);
  });

  it('that began while the database was asked is looked at in the next round', async () => {
    const held = Promise.withResolvers<Standings>();
    answer = () => held.promise;
    calls.add(call('first', { subject: 'eve' }));
    await round();
    calls.add(call('second'));
    answer = async () => ({ ...NOBODY, revokedSubjects: new Set(['ada']) });
    held.resolve({ ...NOBODY, revokedSubjects: new Set(['ada']) });
    await vi.advanceTimersByTimeAsync(0);
    expect(ended).toEqual([]);
    await round();
    expect(ended).toEqual(['second: subject-revoked']);
  });

  it('ends as soon as a database that was silent for long answers again', async () => {
    answer = async () => {
      throw new Error('silent');
    };
    calls.add(call('own'));
    for (let times = 0; times < 20; times += 1) await round();
    expect([asked.length, ended]).toEqual([20, []]);
    answer = async () => ({ ...NOBODY, revokedSubjects: new Set(['ada']) });
    await round();
    expect(ended).toEqual(['own: subject-revoked']);
  });
});

describe('the query about running answers', () => {
  it('names each subject, key and session once, however many answers run', async () => {
    for (let nth = 0; nth < 1000; nth += 1)
      calls.add(
        call('any', { subject: `s${nth % 3}`, session: `t${nth % 2}`, keyId: `k${nth % 3}`, registered: nth % 3 > 0 }),
      );
    await round();
    expect(asked).toHaveLength(1);
    expect(asked[0]?.sessions).toHaveLength(6);
    expect(asked[0]).toMatchObject({
      subjects: ['s0', 's1', 's2'],
      keys: ['k0', 'k1', 'k2'],
      registered: ['s1', 's2'],
    });
  });

  it('does not confuse sessions of one name that two subjects have', async () => {
    calls.add(call('mine', { session: 'a' }));
    calls.add(call('theirs', { subject: 'eve', session: 'a' }));
    answer = async () => ({ ...NOBODY, revokedSessions: new Set([sessionKey({ subject: 'eve', session: 'a' })]) });
    await round();
    expect(ended).toEqual(['theirs: session-revoked']);
  });

  it('is asked one at a time, and not at all while nothing runs', async () => {
    const held = Promise.withResolvers<Standings>();
    answer = () => held.promise;
    const over = calls.add(call('own'));
    for (let times = 0; times < 5; times += 1) await round();
    expect(asked).toHaveLength(1);
    over();
    held.resolve(NOBODY);
    for (let times = 0; times < 5; times += 1) await round();
    expect([asked.length, vi.getTimerCount()]).toEqual([1, 0]);
    calls.add(call('later'));
    answer = async () => NOBODY;
    await round();
    expect(asked).toHaveLength(2);
  });
});

it('asks exactly for what runs, continues after a silent database, and ends each call once', async () => {
  vi.useRealTimers();
  const answers: (Standings | null)[] = [null, NOBODY, { ...NOBODY, revokedSubjects: new Set(['ada']) }];
  const all = Promise.withResolvers<void>();
  calls = new ActiveCalls({
    period: 1,
    standings: {
      async read(query) {
        asked.push(query);
        const answer = answers.shift();
        if (answer === null) throw new Error('silent');
        if (answers.length === 0) setImmediate(all.resolve);
        return answer ?? NOBODY;
      },
    },
  });
  const of = (subject: string, session: string | null) =>
    call(subject, { subject, session, keyId: `key of ${subject}` });
  const over = [calls.add(of('ada', 'one')), calls.add(of('ada', null)), calls.add(of('eve', 'one'))];
  await all.promise;
  expect(ended).toEqual(['ada: subject-revoked', 'ada: subject-revoked']);
  expect(asked[0]).toEqual({
    sessions: [
      { subject: 'ada', session: 'one' },
      { subject: 'eve', session: 'one' },
    ],
    subjects: ['ada', 'eve'],
    registered: ['ada', 'eve'],
    keys: ['key of ada', 'key of eve'],
    commands: [],
  });
  for (const end of over) end();
});
