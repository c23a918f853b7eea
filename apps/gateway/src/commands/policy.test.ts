import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { startWorld, type World } from '../testing/world.ts';

const COMMANDS = '/_agent-execution/commands';
const NO_ROLE = 'Your identity is recognised, but no role you hold carries the right to run agent commands here.';
const UNKNOWN = '01890000-0000-7000-8000-000000000000';
const BODY = { session: 's1', interpreteur: 'sh', arguments: ['-c', 'true'], variablesSupplementaires: {} };

let world: World;
let workdir: string;
let revision = 0;

beforeAll(async () => {
  workdir = mkdtempSync(join(tmpdir(), 'gateway-policy-'));
  world = await startWorld({ environment: { GATEWAY_AGENT_LAUNCHER: 'process', GATEWAY_AGENT_WORKDIR: workdir } });
});
afterAll(async () => {
  await world.stop();
  rmSync(workdir, { recursive: true, force: true });
});

async function install(cedar: string): Promise<void> {
  revision += 1;
  await world.database
    .sql`insert into authorization_policies (revision, cedar, author) values (${revision}, ${cedar}, 'test')`;
}
const run = (headers: Record<string, string> = {}) =>
  ask(world.port, `${COMMANDS}?q=1`, { key: world.key, headers, body: BODY });
const interrupt = () => ask(world.port, `${COMMANDS}/${UNKNOWN}/interrupt`, { key: world.key, body: '' });

describe('an authorization policy (roles-16)', () => {
  it('narrows commands from the next one on, with the sentence of a missing role; the log names it', async () => {
    expect((await run()).status).toBe(200);
    await install('@id("closed") forbid(principal, action == Action::"execution:lancer", resource);');
    const { status, json } = await run({ 'x-request-id': 'narrowed' });
    expect([status, json]).toEqual([403, { error: NO_ROLE }]);
    await eventually(async () =>
      expect(await world.entries('narrowed')).toMatchObject([
        { reason: 'execution-policy-forbids', detail: 'closed', policy_revision: revision, outcome: 'refused' },
      ]),
    );
    expect((await interrupt()).json).toEqual({ error: NO_ROLE });
    await install('');
    expect((await run()).status).toBe(200);
    expect((await interrupt()).status).toBe(404);
  });
  it.each([
    ['the subject', 'principal == Subject::"caller"', true],
    ['another subject', 'principal == Subject::"somebody"', false],
    ['the role', 'principal in Role::"utilisateur-standard"', true],
    ['the resource', 'resource == Instance::"instance"', true],
    ['the method', 'context.method == "POST"', true],
    ['the path with its query', `context.path == "${COMMANDS}?q=1"`, true],
    ['the session of the body', 'context has session && context.session == "s1"', true],
    ['another session', 'context has session && context.session == "s2"', false],
    ['the address', 'context.sourceAddress.isLoopback()', true],
    ['the time', 'context.time > datetime("2020-01-01")', true],
  ])('knows %s', async (_, condition, forbidden) => {
    await install(`forbid(principal, action, resource) when { ${condition} };`);
    expect((await run()).status).toBe(forbidden ? 403 : 200);
    await install('');
  });
  it('whose evaluation fails, or that bypassed every check, allows no command', async () => {
    await install('forbid(principal, action, resource) when { 9223372036854775807 + 1 > 0 };');
    expect((await run({ 'x-request-id': 'erred' })).status).toBe(403);
    await eventually(async () =>
      expect(await world.entries('erred')).toMatchObject([{ reason: 'execution-policy-error' }]),
    );
    await install('permit(principal, action, resource);');
    expect([(await run()).status, (await run()).json]).toEqual([
      503,
      { error: 'Authorization decision could not be made, so the command was refused.' },
    ]);
    await install('');
  });
});
