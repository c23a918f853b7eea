import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readArguments } from '../command-line.ts';
import { wholeNumber } from '../measures/options.ts';
import { number, table } from '../measures/report.ts';
import { compareSpent, compareTimes, type Multiples } from './comparison.ts';
import { startClientEngine } from './engine.ts';
import { type Dependencies, firstPaint, timed } from './measure.ts';
import { memoryAfter } from './session-memory.ts';
import { installedPeers, type Tool } from './tools.ts';

const USAGE = `Usage: npm run bench:client -- [--rounds N] [--no-peers]

Measures gw beside other agents. Build it first: npm run build

  --rounds N   the number of rounds (default 15)
  --no-peers   measure gw alone; the others are installed on first use`;

const { rounds, peers } = readArguments(USAGE, (args) => {
  const { values } = parseArgs({
    args: [...args],
    options: { rounds: { type: 'string', default: '15' }, peers: { type: 'boolean', default: true } },
    allowNegative: true,
  });
  return { rounds: wholeNumber('rounds', values.rounds), peers: values.peers };
});
const TURNS = 50;
const MEMORY_BUDGET_MB = 130;
/** The budgets of the product, as multiples of `node -e 0`. */
const BUDGETS: Readonly<Record<string, number>> = { '--version': 1.3, '--help': 1.3, 'first paint': 3, '-p': 4 };

const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
const NODE: Tool = { name: 'node -e 0', line: [process.execPath, '-e', '0'] };
const GW: Tool = { name: 'gw', line: [process.execPath, resolve('dist/on-premise/gw.js')] };

const root = mkdtempSync(join(tmpdir(), 'bench-client-'));
const engine = await startClientEngine();
try {
  const around = prepare();
  const { tools, absent } = peers ? installedPeers() : { tools: [], absent: [] };
  const all = [GW, ...tools];
  const run = (option: readonly string[]) => (tool: Tool) =>
    timed(tool === NODE ? tool.line : [...tool.line, ...option], around);
  for (const option of ['--version', '--help'])
    printSpent(option, await compareSpent(NODE, all, rounds, run([option])));
  printSpent('-p', await compareSpent(NODE, [GW], rounds, run(['-p', 'Hello'])));
  const painter: Tool = { name: 'node -e', line: [process.execPath, '-e', 'console.log(0)'] };
  const paints = await compareTimes(painter, all, rounds, ({ line }) => firstPaint(line, around));
  const rows = [...paints.multiples].map(([{ name }, multiple]) => [name, number(multiple)]);
  const title = `first paint, as a multiple of node -e "console.log(0)" (budget ${BUDGETS['first paint']})`;
  print(table(title, ['', 'time'], rows));
  for (const fault of paints.faults) print(`not measured: ${fault}`);
  const memory = await memoryAfter(TURNS, GW.line, around);
  print(`\nResident memory of gw after ${TURNS} turns: ${number(memory, 0)} MB (budget ${MEMORY_BUDGET_MB} MB)`);
  for (const line of absent) print(`not measured: ${line}`);
} finally {
  await engine.close();
  rmSync(root, { recursive: true, force: true });
}

/** A home with one model, the scripted engine, and an empty project. */
function prepare(): Dependencies {
  const [home, directory] = [join(root, 'home'), join(root, 'project')];
  mkdirSync(join(home, '.gateway'), { recursive: true });
  mkdirSync(directory);
  writeFileSync(
    join(home, '.gateway', 'config.yaml'),
    `models:\n  - name: Scripted\n    endpoint: ${engine.url}/v1\n    apiKey: key\n`,
  );
  return { directory, variables: { PATH: process.env['PATH'] ?? '', HOME: home } };
}

function printSpent(option: string, multiples: ReadonlyMap<Tool, Multiples>): void {
  const rows = [...multiples].map(([{ name }, { wall, processor }]) => [name, number(wall), number(processor)]);
  const title = `${option}, as a multiple of node -e 0 (budget ${BUDGETS[option]})`;
  print(table(title, ['', 'time', 'processor time'], rows));
}
