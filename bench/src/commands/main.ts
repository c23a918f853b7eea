import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readArguments } from '../command-line.ts';
import { quantile } from '../load/statistics.ts';
import { wholeNumber } from '../measures/options.ts';
import { number, table } from '../measures/report.ts';
import { gateway } from '../peers/gateway.ts';
import { residentMemory } from '../peers/program.ts';
import { runByHand } from './by-hand.ts';
import { callersOf } from './callers.ts';
import { runCommand } from './command.ts';
import { type Crowd, crowdRow, MEBIBYTE, measureCrowd } from './crowd.ts';

const USAGE = `Usage: npm run bench:commands -- [--rounds N] [--repetitions N] [--json]

Measures what the gateway adds to commands in a sandbox, and its memory while many run.

  --rounds N       the number of interleaved rounds (default 60)
  --repetitions N  how often 200 commands run at once (default 4)
  --json           print the figures as JSON, too`;

const { rounds, repetitions, json } = readArguments(USAGE, (args) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '60' },
      repetitions: { type: 'string', default: '4' },
      json: { type: 'boolean', default: false },
    },
  });
  return {
    rounds: wholeNumber('rounds', values.rounds),
    repetitions: wholeNumber('repetitions', values.repetitions),
    json: values.json,
  };
});
const ENGINE = new URL('http://127.0.0.1:9');
/** The budget: what the gateway may add to bubblewrap run by hand, from start to the first byte. */
const BUDGET_MS = 60;
/** How long slow callers read nothing, from the first request on. */
const UNREAD_MS = 10_000;

const workdir = mkdtempSync(join(tmpdir(), 'bench-commands-'));
const environment = {
  GATEWAY_AGENT_LAUNCHER: 'bubblewrap',
  GATEWAY_AGENT_WORKDIR: workdir,
  GATEWAY_AGENT_MAX_COMMANDS: '256',
};
const args = Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
const whole = await gateway('gateway', ENGINE, ['--bare', ...args]);
const { port } = whole.target;
const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

try {
  const callers = await callersOf(whole.database.owner, 50);
  const first = callers[0] ?? '';

  // Turn by turn, so that what else the machine does weighs on both.
  const [byHand, through]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    byHand.push(await runByHand('echo x'));
    through.push((await runCommand(port, first, 'echo x')).firstByteMs);
  }
  const row = (name: string, times: readonly number[]) => [
    name,
    number(quantile(times, 0.5)),
    number(quantile(times, 0.99)),
  ];
  const added = quantile(through, 0.5) - quantile(byHand, 0.5);
  print(table('Start to first byte, ms', ['', 'p50', 'p99'], [row('bwrap by hand', byHand), row('gateway', through)]));
  print(`added at p50: ${number(added)} ms (budget ${BUDGET_MS})`);

  const memory = (): number => (whole.pid === null ? Number.NaN : residentMemory(whole.pid));
  const crowds: Crowd[] = [];
  /** @param hold milliseconds during which no caller reads */
  const crowd = async (count: number, bytes: number, hold = 0): Promise<void> => {
    const held = pause(hold);
    const run = (index: number) =>
      runCommand(port, callers[index % callers.length] ?? '', `head -c ${bytes} /dev/zero`, held);
    crowds.push(await measureCrowd({ count, bytes, hold }, run, memory));
  };
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    await crowd(200, MEBIBYTE);
    await crowd(200, MEBIBYTE, UNREAD_MS);
  }
  await crowd(16, 10 * MEBIBYTE);
  await crowd(1, 100 * MEBIBYTE, UNREAD_MS);
  const columns = ['', 'intact', 's', 'MB before', 'MB most', 'MB after'];
  const rows = crowds.map(crowdRow);
  print(table('Commands at once', columns, rows));
  const mostMemoryMb = crowds.map(({ memory: { most } }) => Math.round(most));
  if (json) print(JSON.stringify({ addedMs: added, budgetMs: BUDGET_MS, mostMemoryMb }));
  if (added > BUDGET_MS) process.exitCode = 1;
} finally {
  await whole.stop();
  rmSync(workdir, { recursive: true, force: true });
}
