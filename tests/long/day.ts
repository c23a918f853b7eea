import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseDatabaseAddress, type Sql, withPool } from '@gateway/database';
import { listenerOf } from '../../bench/src/peers/gateway.ts';
import { declaring } from '../../packages/database/src/testing/declare.ts';
import { audit } from '../faults/audit.ts';
import { startCallers } from '../faults/callers.ts';
import { declareChat, keyOf } from '../faults/database.ts';
import { startFaultyEngine, WAYS, type Way } from '../faults/engine.ts';
import { randomOf } from '../support/random.ts';
import { startStack } from '../support/stack.ts';
import { AGENT, activitiesOf, LEAVER, repeat } from './activities.ts';
import { startCollectors } from './collectors.ts';
import { isVacuumed, type LongReport, type TableState } from './report.ts';
import { leastOf, middleOf, type Sample, sampleOf } from './sample.ts';

/** Callers at work in each hour of the day; noon and midnight are quiet, and the load before and after noon is the same. */
const HOURS = [1, 2, 4, 8, 12, 12, 12, 12, 8, 4, 2, 0, 1, 2, 4, 8, 12, 12, 12, 12, 8, 4, 2, 0];
/** Looks at the processes in one hour. */
const PARTS = 20;
/** Milliseconds between the calls of one caller. */
const THINK_MS = 40;
/** Chosen more often than the ways in which an engine fails. */
const USUAL: readonly Way[] = ['plain', 'stream', 'late'];
/** How long autovacuum, which comes once a minute, and the log export may take after the day. */
const SETTLED_MS = 150_000;

export interface DayOptions {
  readonly minutes: number;
  readonly seed: number;
  /** Whether bubblewrap can run commands here. */
  readonly commands: boolean;
  readonly report: (line: string) => void;
}

async function prepare(sql: Sql, engineUrl: string): Promise<void> {
  await declareChat(sql, engineUrl);
  const declare = declaring(sql);
  const plan = await declare.plan('beside', null);
  for (const name of [LEAVER, AGENT]) {
    await declare.account(name, { plan });
    await declare.grant(name, 'utilisateur-standard');
  }
}

function tablesOf(sql: Sql): Promise<TableState[]> {
  return sql<TableState[]>`
    select relname as "table", n_live_tup::float8 as "liveRows", n_dead_tup::float8 as "deadRows", autovacuum_count::float8 as vacuums
    from pg_stat_user_tables where n_tup_upd + n_tup_del > 0 order by relname`;
}

const halves = (values: readonly number[]) => ({
  first: middleOf(values.slice(0, values.length / 2)),
  second: middleOf(values.slice(values.length / 2)),
});

/** Simulates a day of mixed load in this many minutes, and reports its effect on the processes and the database. */
export async function liveDay({ minutes, seed, commands, report }: DayOptions): Promise<LongReport> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-long-'));
  const engine = await startFaultyEngine(async () => null);
  const collectors = await startCollectors();
  const environment = {
    GATEWAY_LOG_EXPORT_URL: collectors.logUrl,
    GATEWAY_METRICS_URL: collectors.metricsUrl,
    ...(commands ? { GATEWAY_AGENT_LAUNCHER: 'bubblewrap', GATEWAY_AGENT_WORKDIR: folder } : {}),
  };
  const words = Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const stack = await startStack('--bare', '--engine', engine.url, '--model', 'served', ...words);
  const stop = new AbortController();
  try {
    const asOwner = <Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> =>
      withPool(parseDatabaseAddress(stack.database.owner), { max: 1 }, work);
    await asOwner((sql) => prepare(sql, engine.url));
    const [gatewayPort, consolePort] = [stack.gateway, stack.console].map((address) =>
      Number(new URL(address).port),
    ) as [number, number];
    const pids = { gateway: listenerOf(gatewayPort) ?? 0, console: listenerOf(consolePort) ?? 0 };
    const samples = () => ({ gateway: sampleOf(pids.gateway), console: sampleOf(pids.console) });

    const random = randomOf(seed);
    const callers = startCallers(
      0,
      () => keyOf('caller'),
      () => gatewayPort,
      random,
    );
    const revoked: number[] = [];
    const activities = activitiesOf({
      gatewayPort,
      console: stack.console,
      credentials: `${stack.consoleSignIn?.user}:${stack.consoleSignIn?.password}`,
      database: { asOwner },
      revocationTook: (milliseconds) => revoked.push(milliseconds),
      commands,
    });
    const hourMs = (minutes * 60_000) / HOURS.length;
    let level = 0;
    const caller = async (number: number): Promise<void> => {
      while (!stop.signal.aborted) {
        if (number < level) await callers.call(random.below(10) < 8 ? random.pick(USUAL) : random.pick(WAYS));
        await pause(number < level ? THINK_MS : hourMs / 100);
      }
    };
    const running = [
      ...Array.from({ length: Math.max(...HOURS) }, (_, number) => caller(number)),
      ...activities.map((one) => repeat(one, hourMs / 10, stop.signal)),
    ];
    const quiet: { readonly gateway: Sample; readonly console: Sample }[] = [];
    for (const [hour, callersNow] of HOURS.entries()) {
      level = callersNow;
      const seen: ReturnType<typeof samples>[] = [];
      for (let part = 0; part < PARTS; part += 1) {
        await pause(hourMs / PARTS);
        seen.push(samples());
      }
      report(`${hour + 1} o'clock, ${callers.observed.requests} calls: ${JSON.stringify(samples())}`);
      if (callersNow > 0) continue;
      quiet.push({
        gateway: leastOf(seen.map((one) => one.gateway)),
        console: leastOf(seen.map((one) => one.console)),
      });
    }
    stop.abort();
    await Promise.all(running);
    const [noon = samples(), midnight = samples()] = quiet;
    const audited = await audit({ callers, engine, database: { asOwner } });
    const settled = await asOwner((sql) => settledState(sql, collectors.entries));
    await callers.stop();
    const { metricsAt } = collectors;
    return {
      ...audited,
      ...settled,
      seed,
      minutes,
      requests: callers.observed.requests,
      statuses: Object.fromEntries([...callers.observed.statuses].sort(([one], [other]) => one - other)),
      activities: Object.fromEntries(
        activities.map(({ name, runs, failures, example }) => [name, { runs, failures, ...(example && { example }) }]),
      ),
      processes: {
        gateway: { noon: noon.gateway, midnight: midnight.gateway },
        console: { noon: noon.console, midnight: midnight.console },
      },
      revocationMs: halves(revoked),
      metricsIntervalMs: halves(metricsAt.slice(1).map((at, index) => at - (metricsAt[index] ?? at))),
    };
  } finally {
    stop.abort();
    await stack.stop();
    await Promise.all([engine.close(), collectors.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Waits until autovacuum and the log export have caught up, or for as long as they may take. */
async function settledState(sql: Sql, exported: ReadonlySet<string>) {
  const end = performance.now() + SETTLED_MS;
  for (;;) {
    const tables = await tablesOf(sql);
    const rows = await sql<{ id: string }[]>`select id from authorization_decisions`;
    const notExported = rows.filter(({ id }) => !exported.has(id)).length;
    if ((tables.every(isVacuumed) && notExported === 0) || performance.now() > end) return { tables, notExported };
    await pause(1000);
  }
}
