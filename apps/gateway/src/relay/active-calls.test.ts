import type { StandingQuery, Standings } from '@gateway/database/gateway';
import { expect, it } from 'vitest';
import { type ActiveCall, ActiveCalls } from './active-calls.ts';

const NOTHING: Standings = {
  revokedSessions: new Set(),
  revokedSubjects: new Set(),
  disabledSubjects: new Set(),
  revokedKeys: new Set(),
  interruptedCommands: new Set(),
};

it('queries only while calls run, continues after a silent database, and ends each call once', async () => {
  const asked: StandingQuery[] = [];
  const answers: (Standings | null)[] = [null, NOTHING, { ...NOTHING, revokedSubjects: new Set(['ada']) }];
  const all = Promise.withResolvers<void>();
  const calls = new ActiveCalls({
    period: 1,
    standings: {
      async read(query) {
        asked.push(query);
        const answer = answers.shift();
        if (answer === null) throw new Error('silent');
        if (answers.length === 0) setImmediate(all.resolve);
        return answer ?? NOTHING;
      },
    },
  });
  const ended: string[] = [];
  const call = (subject: string, session: string | null): ActiveCall => ({
    slot: -1,
    subject,
    session,
    keyId: `key of ${subject}`,
    registered: true,
    revoke: (code) => ended.push(`${subject} ${code}`),
  });
  const over = [calls.add(call('ada', 'one')), calls.add(call('ada', null)), calls.add(call('eve', 'one'))];
  await all.promise;
  expect(ended).toEqual(['ada subject-revoked', 'ada subject-revoked']);
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
  calls.close();
});
