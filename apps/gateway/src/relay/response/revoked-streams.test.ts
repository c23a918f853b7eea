import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HELLO, watch } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import { startWorld, type World } from '../../testing/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  world.engine.on('/endless', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"choices":[{"delta":{"content":"begun"}}]}\n\n');
  });
  world.engine.on('/silent', () => {});
});
afterAll(() => world.stop());

const reasons = async (subject: string) =>
  (await world.entries())
    .filter((entry) => entry['subject'] === subject && entry['outcome'] === 'refused')
    .map(({ reason, detail }) => [reason, detail]);
const decisionOf = async (subject: string): Promise<unknown> =>
  (await world.entries()).find((entry) => entry['subject'] === subject && entry['outcome'] === 'granted')?.['id'];

/** A started stream of a subject, and one of another subject beside it. */
async function streaming(subject: string, session: string | null = null) {
  const ask = async (who: string, named: string | null) => {
    const key = await world.account(who);
    const headers = named === null ? {} : { 'x-gateway-session': named };
    const answer = watch(world.port, '/chat/endless', { key, headers, body: { ...HELLO, stream: true } });
    await answer.shows('begun');
    return answer;
  };
  return {
    mine: await ask(subject, session),
    other: await ask(`not-${subject}`, session === null ? null : `not-${session}`),
  };
}

describe('a running stream ends soon after', () => {
  it.each<[string, string, (subject: string) => Promise<unknown>]>([
    [
      'its subject is revoked',
      'subject-revoked',
      (subject) =>
        world.database
          .sql`insert into subject_revocations ${world.database.sql({ id: v7(), subject, reason: 't', author: 't' })}`,
    ],
    [
      'its account is disabled',
      'account-disabled',
      (subject) => world.database.sql`update accounts set enabled = false where username = ${subject}`,
    ],
    [
      'its key is revoked',
      'key-revoked',
      (subject) => world.database.sql`update account_keys set revoked_at = now()
        where account_id = (select id from accounts where username = ${subject})`,
    ],
    [
      'its account is deleted',
      'key-revoked',
      (subject) => world.database.sql`delete from accounts where username = ${subject}`,
    ],
    [
      'the session above its own is revoked',
      'session-revoked',
      async (subject) => {
        await world.database.sql`insert into agent_session_lineage (subject, session, parent_session, author)
          values (${subject}, ${`s-${subject}`}, ${`over-${subject}`}, ${subject})`;
        await world.database
          .sql`insert into agent_session_revocations (session, reason, author) values (${`over-${subject}`}, 't', 't')`;
      },
    ],
  ])('%s, and the log says why, the usage record what was delivered', async (name, reason, revoke) => {
    const subject = name.replaceAll(' ', '-');
    const { mine, other } = await streaming(subject, `s-${subject}`);
    await revoke(subject);
    expect(await mine.done).toBe('broken');
    await eventually(async () => {
      expect(await world.usage(subject)).toMatchObject([{ interrupted: true, usage_source: 'estimated' }]);
      const decision = await decisionOf(subject);
      expect(await reasons(subject)).toEqual([[reason, `ended the running answer of decision ${String(decision)}`]]);
    });
    expect(other.outgoing.destroyed, 'the other subject continues').toBe(false);
    other.leave();
    await other.done;
  });
});

it('a call whose engine has not answered yet is refused with the message of its revocation', async () => {
  const key = await world.account('waiting');
  const asked = world.engine.next('/silent');
  const answer = watch(world.port, '/chat/silent', { key });
  const { closed } = await asked;
  await world.database.sql`insert into subject_revocations
    ${world.database.sql({ id: v7(), subject: 'waiting', reason: 't', author: 't' })}`;
  expect((await answer.head).statusCode).toBe(403);
  await answer.shows('has been revoked');
  await closed;
});
