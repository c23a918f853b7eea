import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Script, type ScriptedEngine, startEngine } from '../apps/gw/src/testing/scripted-engine.ts';
import { type Envelope, use } from '../apps/gw/src/testing/session-world.ts';
import { openWorld, type World } from '../apps/gw/src/testing/world.ts';
import { developmentSigningKey } from '../packages/access/src/development-license.ts';
import { issueLicense } from '../packages/access/src/index.ts';
import { createTestDatabase, declaring, keyOf, type TestDatabase } from '../packages/database/src/testing/index.ts';

// `gw` with a real gateway: commands that run there, a gateway that goes away and comes back.
const PROGRAM = fileURLToPath(new URL('../apps/gateway/src/main.ts', import.meta.url));

let database: TestDatabase;
let directory: string;
let engine: ScriptedEngine;
let gateway: { readonly child: ChildProcess; readonly address: string };
let license: string;
let revision = 0;
let world: World;

async function startGateway(port = '0'): Promise<typeof gateway> {
  const work = join(directory, 'agents');
  mkdirSync(work, { recursive: true });
  const child = spawn(process.execPath, [PROGRAM], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      ...process.env,
      DATABASE_URL: database.gatewayUrl,
      HOST: '127.0.0.1',
      PORT: port,
      GATEWAY_STATE_DIR: join(directory, 'state'),
      GATEWAY_LICENSE: license,
      GATEWAY_ORGANIZATION: 'acme',
      GATEWAY_AGENT_LAUNCHER: 'process',
      GATEWAY_AGENT_WORKDIR: work,
    },
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, address: String(/http:\S+/.exec(line)) };
}

async function impose(document: object): Promise<void> {
  revision += 1;
  await database.sql`insert into organization_policies (organization_id, revision, document, author)
    select id, ${revision}, ${database.sql.json(document as never)}, 'test' from organizations where slug = 'acme'`;
}

beforeAll(async () => {
  database = await createTestDatabase();
  directory = mkdtempSync(join(tmpdir(), 'gw-commands-'));
  engine = await startEngine();
  const declare = declaring(database.sql);
  const provider = await declare.provider('engine', { baseUrl: `${engine.url}/v1` });
  await declare.endpoint('demo', await declare.model(provider, 'm'));
  for (const name of ['caller', 'nobody']) await declare.account(name);
  await declare.grant('caller', 'utilisateur-standard');
  await database.sql`insert into organizations (id, slug, name) values (${randomUUID()}, 'acme', 'Acme')`;
  const now = Math.floor(Date.now() / 1000);
  license = await issueLicense(
    {
      licensee: 'Acme',
      deployment: 'test',
      seats: 2,
      capabilities: ['inference', 'agent-execution', 'workstation-control'],
      iat: now,
      exp: now + 86_400,
      graceDays: 0,
    },
    developmentSigningKey(),
  );
  gateway = await startGateway();
});
afterAll(async () => {
  const gone = once(gateway.child, 'exit');
  gateway.child.kill('SIGTERM');
  await gone;
  await engine.close();
  await database.drop();
  rmSync(directory, { recursive: true, force: true });
});
beforeEach(async () => {
  world = openWorld();
  await impose({ commands: { location: 'gateway' } });
});
afterEach(() => world.close());

/** Ends the gateway at once, as a crash does; the function that is returned starts it again at the same address. */
async function killGateway(): Promise<() => Promise<void>> {
  const gone = once(gateway.child, 'exit');
  gateway.child.kill('SIGKILL');
  await gone;
  return async () => {
    gateway = await startGateway(new URL(gateway.address).port);
  };
}

/** A turn of `gw -p`, with the model and the commands behind the gateway. */
async function print(
  script: Script,
  options: readonly string[] = ['--auto'],
  more: { interrupted?: AbortSignal } = {},
) {
  world.write(
    'home/casey/.gateway/config.yaml',
    `gateway: ${gateway.address}\nmodels:\n  - name: Demo\n    endpoint: demo\n    apiKey: ${keyOf('caller')}\n`,
  );
  engine.play(script);
  const ran = await world.gw(['-p', '--format', 'json', ...options, 'Go.'], {
    now: new Date(),
    variables: { GATEWAY_LICENSE: license },
    ...more,
  });
  return { ...ran, envelope: JSON.parse(ran.out) as Envelope };
}
const bash = (command: string, more: object = {}) => use('Bash', { command, ...more });

describe('commands in the agent execution of the gateway', () => {
  it('run there, in the directory of the session, and the result shows this', async () => {
    const { code, envelope, err } = await print([
      bash('echo kept > made.txt; ls; echo to-err >&2'),
      bash('cat made.txt; exit 7'),
      'End.',
    ]);
    const [first, second] = engine.results();
    expect(first).toMatch(/made\.txt/);
    expect(first).toMatch(/to-err/);
    expect(first).toContain(`[exit code 0; it ran on the gateway ${gateway.address}]`);
    expect(second).toContain(`kept\n[exit code 7; it ran on the gateway ${gateway.address}]`);
    expect(existsSync(join(world.project, 'made.txt'))).toBe(false);
    expect([code, err, envelope.toolCalls.map(({ outcome }) => outcome)]).toEqual([0, '', ['succeeded', 'failed']]);
    expect(engine.requests[0]?.body.messages[0]?.content).toContain('Bash runs on the gateway, not in the project');
  });

  it('run as the session, which the console can revoke', async () => {
    const { envelope } = await print([bash('true'), 'End.']);
    const rows = await database.sql`select session, subject from agent_commands order by started_at desc limit 1`;
    expect(rows).toEqual([{ session: envelope.session, subject: 'caller' }]);
  });

  it('end at their time limit, with everything they started', async () => {
    await print([bash('echo before; sleep 1000 & sleep 1000', { timeout_seconds: 1 }), 'End.']);
    expect(engine.results()[0]).toMatch(/before\n\[ended after its time limit of 1 second; it ran on the gateway/);
  });

  it('end where the turn is interrupted', async () => {
    const controller = new AbortController();
    const marker = join(directory, 'started');
    const running = print([bash(`touch ${marker}; sleep 1000`), 'Never.'], ['--auto'], {
      interrupted: controller.signal,
    });
    await expect.poll(() => existsSync(marker)).toBe(true);
    controller.abort();
    expect((await running).code).toBe(130);
    await expect
      .poll(async () => {
        const [row] = await database.sql`select e.ended_at from agent_commands c
          left join agent_command_ends e on e.command_id = c.id order by c.started_at desc limit 1`;
        return row?.['ended_at'];
      })
      .toBeInstanceOf(Date);
  });

  it('run in the background, and end with the session', async () => {
    await print([
      bash('echo started; sleep 1000', { background: true }),
      use('BashOutput', { job: '1' }),
      use('BashStop', { job: '1' }),
      'End.',
    ]);
    const [job, output, stopped] = engine.results();
    expect(job).toContain(`The command runs on the gateway ${gateway.address} as job 1.`);
    expect(output).toMatch(/still running/);
    expect(stopped).toBe('Job 1 was stopped.');
  });

  it('are refused in the words of the gateway, and never run on the workstation instead', async () => {
    await database.sql`delete from role_assignments where subject = 'caller'`;
    try {
      // Without the role the model is refused as well, so the session's model is not behind the gateway here.
      world.write(
        'home/casey/.gateway/config.yaml',
        `gateway: ${gateway.address}\nmodels:\n  - name: Direct\n    endpoint: ${engine.url}/v1\n    apiKey: x\n  - name: Demo\n    endpoint: demo\n    apiKey: ${keyOf('caller')}\n`,
      );
      engine.play([bash('touch pwned'), 'End.']);
      const { code, err } = await world.gw(['-p', '--auto', 'Go.'], {
        now: new Date(),
        variables: { GATEWAY_LICENSE: license },
      });
      const sentence =
        'The gateway did not run the command (403): Your identity is recognised, but no role you hold carries the right to run agent commands here.';
      expect([code, err, engine.results()]).toEqual([0, `gw: ${sentence}\n`, [sentence]]);
      expect(existsSync(join(world.project, 'pwned'))).toBe(false);
    } finally {
      await declaring(database.sql).grant('caller', 'utilisateur-standard');
    }
  });

  it('of a session that is revoked meanwhile end it, exit 4', async () => {
    const { code, envelope } = await print([
      async (request) => {
        const session = String(request.headers['x-gateway-session']);
        await database.sql`insert into agent_session_revocations (session, reason, author) values (${session}, 'r', 'a')`;
        return bash('echo never');
      },
      'Never.',
    ]);
    expect([code, envelope.status, envelope.error?.status]).toEqual([4, 'refused', 403]);
    expect(envelope.error?.message).toMatch(/revoked/);
  });

  it('are limited in plan mode to those that only read', async () => {
    const { code, envelope } = await print(
      [bash('touch made.txt'), bash('ls'), 'End.'],
      ['--readonly', '--allow', 'Bash'],
    );
    expect([code, envelope.toolCalls.map(({ outcome }) => outcome)]).toEqual([3, ['denied', 'succeeded']]);
  });

  it('run on the workstation again if a later revision requires it', async () => {
    await impose({});
    await print([bash('pwd'), 'End.']);
    expect(engine.results()[0]).toBe(`${world.project}\n[exit code 0]`);
  });
});

describe('a gateway that goes away', () => {
  it('in the middle of an answer ends the run; the session continues with --resume once it is back', async () => {
    const held = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const running = print([
      use('List', {}),
      () => {
        asked.resolve();
        return { text: 'A part of the answer', hold: held.promise };
      },
    ]);
    await asked.promise;
    const restart = await killGateway();
    held.resolve();
    const broken = await running;
    expect([broken.code, broken.envelope.status]).toEqual([1, 'failed']);
    expect(broken.envelope.toolCalls.map(({ tool }) => tool)).toEqual(['List']);
    await restart();
    const { code, envelope } = await print(['The whole answer.'], ['--resume']);
    expect([code, envelope.answer, envelope.session]).toEqual([0, 'The whole answer.', broken.envelope.session]);
  });

  it('has acts of that time delivered later, each once', async () => {
    await print(['Online.']); // keeps a copy of the policy
    const restart = await killGateway();
    // The model is not behind the gateway, so that the session can work without it.
    const config = `gateway: ${gateway.address}\nmodels:\n  - name: Direct\n    endpoint: ${engine.url}/v1\n    apiKey: x\n`;
    world.write('home/casey/.gateway/config.yaml', config);
    const direct = (script: Script) => {
      engine.play(script);
      return world.gw(['-p', '--format', 'json', 'Go.'], { now: new Date(), variables: { GATEWAY_LICENSE: license } });
    };
    const offline = await direct([use('List', {}), use('Read', { file_path: 'absent' }), 'Offline.']);
    const { session } = JSON.parse(offline.out) as Envelope;
    const actsOf = () =>
      database.sql`select tool, outcome from agent_acts where session = ${session} order by tool`.then((rows) => [
        ...rows,
      ]);
    expect(offline.code).toBe(0);
    expect(offline.err).toMatch(/saved by an earlier session applies \(revision \d+\)/);
    await restart();
    expect(await actsOf()).toEqual([]);
    for (let time = 0; time < 2; time += 1) expect((await direct(['Online again.'])).code).toBe(0);
    expect(await actsOf()).toEqual([
      { tool: 'List', outcome: 'succeeded' },
      { tool: 'Read', outcome: 'failed' },
    ]);
  });
});
