import { keyOf } from '@gateway/database/testing';
import { type Arbitrary, assert, asyncProperty, boolean, constant, constantFrom, oneof, record } from 'fast-check';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile as onPremise } from '../../profile/on-premise.ts';
import { profile as serverless } from '../../profile/serverless.ts';
import { ask } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import { TOKEN } from '../../testing/inspector.ts';
import { testLicense } from '../../testing/license.ts';
import { startWorld, type World } from '../../testing/world.ts';

/** The causes for refusing a call, each by itself. */
interface Causes {
  readonly proof: 'none' | 'unknown' | 'known';
  readonly keyRevoked: boolean;
  readonly disabled: boolean;
  readonly subjectRevoked: boolean;
  readonly sessionRevoked: boolean;
  readonly endpoint: 'nowhere' | 'off' | 'closed' | 'chat';
  readonly license: 'whole' | 'capless' | 'seatless';
  readonly role: boolean;
  readonly plan: 'none' | 'spent' | 'free';
  readonly secret: boolean;
}

const PLANS = ['none', 'spent', 'free'] as const;
const LICENSES = ['whole', 'capless', 'seatless'] as const;
const BOTH = [false, true] as const;

const causes: Arbitrary<Causes> = record({
  proof: oneof({ weight: 8, arbitrary: constant('known' as const) }, constantFrom('none', 'unknown')),
  keyRevoked: seldom(),
  disabled: seldom(),
  subjectRevoked: seldom(),
  sessionRevoked: seldom(),
  endpoint: oneof({ weight: 6, arbitrary: constantFrom('closed', 'chat') }, constantFrom('nowhere', 'off')),
  license: constantFrom(...LICENSES),
  role: boolean(),
  plan: constantFrom(...PLANS),
  secret: boolean(),
});

/** Causes that are rarely first in the order, so that later ones are tested, too. */
function seldom(): Arbitrary<boolean> {
  return oneof({ weight: 7, arbitrary: constant(false) }, constant(true));
}

/** The first cause in the order of checks (refusals-3): its status, and its name in the log. */
function first(found: Causes, hosted: boolean): readonly [status: number, reason: string] {
  const order: readonly (readonly [boolean, number, string])[] = [
    [found.proof === 'none', 401, 'credentials-missing'],
    [found.proof === 'unknown', 401, 'key-unknown'],
    [found.keyRevoked, 401, 'key-revoked'],
    [found.disabled, 401, 'account-disabled'],
    [found.subjectRevoked, 403, 'subject-revoked'],
    [found.sessionRevoked, 403, 'session-revoked'],
    [found.endpoint === 'nowhere', 404, 'endpoint-unknown'],
    [found.endpoint === 'off', 403, 'endpoint-disabled'],
    [!hosted && found.license === 'capless', 403, 'license-capability'],
    [!hosted && found.license === 'seatless', 403, 'license-seats'],
    [!found.role, 403, 'role-missing'],
    [found.endpoint === 'closed', 403, 'policy-forbids'],
    [hosted && found.plan === 'none', 403, 'plan-missing'],
    [hosted && found.plan === 'spent', 402, 'cap-reached'],
    [found.secret, 403, 'secret-detected'],
  ];
  const [, status, reason] = order.find(([applies]) => applies) ?? [true, 200, 'role'];
  return [status, reason];
}

/** One subject per license, because a subject keeps its seat. */
const nameOf = ({ keyRevoked, disabled, subjectRevoked, role, plan, license }: Causes): string =>
  `key-${keyRevoked}-disabled-${disabled}-revoked-${subjectRevoked}-role-${role}-plan-${plan}-${license}`;

describe.each([serverless, onPremise])('of all causes for refusing a call, $name', (profile) => {
  const hosted = profile.name === 'serverless';
  let world: World;
  const ports = new Map<string, number>();

  beforeAll(async () => {
    world = await startWorld({ profile });
    const { declare, database } = world;
    const { sql } = database;
    const model = await declare.model(await declare.provider('engine', { baseUrl: world.engine.url }), 'served');
    await declare.endpoint('off', model, false);
    await declare.endpoint('closed', model);
    const cedar = '@id("closed") forbid(principal, action, resource == Endpoint::"closed");';
    await sql`insert into authorization_policies (revision, cedar, author) values (1, ${cedar}, 'test')`;
    await sql`insert into agent_session_revocations ${sql({ session: 'over', reason: 'test', author: 'test' })}`;
    const plans = { spent: await declare.plan('spent', 0), free: await declare.plan('endless', null) };
    for (const causesOf of subjects()) await declareSubject(causesOf, plans);
    for (const license of LICENSES) {
      const claims = { whole: {}, capless: { capabilities: [] }, seatless: { seats: 0 } }[license];
      const gateway = await world.another(hosted ? {} : { GATEWAY_LICENSE: await testLicense(claims) });
      ports.set(license, Number(new URL(gateway.address).port));
    }
  });
  afterAll(() => world.stop());

  /** Every kind of subject that the causes distinguish. */
  function subjects(): Causes[] {
    const rest = { proof: 'known', sessionRevoked: false, endpoint: 'chat', secret: false } as const;
    const kinds = LICENSES.flatMap((license) => PLANS.map((plan) => ({ ...rest, license, plan })));
    return BOTH.flatMap((keyRevoked) =>
      BOTH.flatMap((disabled) =>
        BOTH.flatMap((subjectRevoked) =>
          BOTH.flatMap((role) => kinds.map((kind) => ({ ...kind, keyRevoked, disabled, subjectRevoked, role }))),
        ),
      ),
    );
  }

  async function declareSubject(one: Causes, plans: Record<'spent' | 'free', string>): Promise<void> {
    const { sql } = world.database;
    const name = nameOf(one);
    const plan = one.plan === 'none' ? {} : { plan: plans[one.plan] };
    const id = await world.declare.account(name, { ...plan, enabled: !one.disabled });
    if (one.role) await world.declare.grant(name, 'utilisateur-standard');
    if (one.keyRevoked) await sql`update account_keys set revoked_at = now() where account_id = ${id}`;
    if (one.subjectRevoked) {
      await sql`insert into subject_revocations ${sql({ id: v7(), subject: name, reason: 'test', author: 'test' })}`;
    }
  }

  it('the first in the order is answered and recorded, and only a call without any is relayed', async () => {
    await assert(
      asyncProperty(causes, async (found) => {
        const [status, reason] = first(found, hosted);
        const id = v7();
        const key = found.proof === 'known' ? keyOf(nameOf(found)) : `gwk_${'0'.repeat(48)}`;
        const answer = await ask(ports.get(found.license) ?? 0, `/${found.endpoint}/${id}`, {
          ...(found.proof === 'none' ? {} : { key }),
          headers: { 'x-request-id': id, ...(found.sessionRevoked ? { 'x-gateway-session': 'over' } : {}) },
          body: { messages: [{ role: 'user', content: found.secret ? `use ${TOKEN}` : 'hello' }] },
        });
        expect(answer.status).toBe(status);
        const recorded = reason === 'endpoint-unknown' ? [] : [[status, reason]];
        const entries = async (): Promise<unknown> =>
          (await world.entries(id)).map((entry) => [entry['status'], entry['reason']]);
        await eventually(async () => expect(await entries()).toEqual(recorded));
        expect(world.engine.received.filter(({ url }) => url.endsWith(id))).toHaveLength(status === 200 ? 1 : 0);
      }),
      { numRuns: 150 },
    );
  });
});
