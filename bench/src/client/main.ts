import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from '../load/statistics.ts';
import { wholeNumber } from '../measures/options.ts';
import { number, table } from '../measures/report.ts';
import { startClientEngine } from './engine.ts';
import { type Dependencies, firstPaint, timed } from './measure.ts';
import { memoryAfter } from './session-memory.ts';
import { installedPeers, type Tool } from './tools.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '15' }, peers: { type: 'boolean', default: true } },
  allowNegative: true,
});
const rounds = wholeNumber('rounds', values.rounds);
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
  const { tools, absent } = values.peers ? installedPeers() : { tools: [], absent: [] };
  const all = [GW, ...tools];
  for (const option of ['--version', '--help'])
    await compare(option, all, (tool) => timed(tool === NODE ? tool.line : [...tool.line, option], around));
  await compare('-p', [GW], (tool) => timed(tool === NODE ? tool.line : [...tool.line, '-p', 'Hello'], around));
  const painter: Tool = { name: 'node -e', line: [process.execPath, '-e', 'console.log(0)'] };
  await comparePaint(all, painter, around);
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

/** Turn by turn, so that what else the machine does weighs on all of them; each is compared within its round. */
async function compare(
  title: string,
  tools: readonly Tool[],
  run: (tool: Tool) => ReturnType<typeof timed>,
): Promise<void> {
  const wall = new Map<Tool, number[]>(tools.map((tool) => [tool, []]));
  const processor = new Map<Tool, number[]>(tools.map((tool) => [tool, []]));
  for (let round = 0; round <= rounds; round += 1) {
    const base = await run(NODE);
    for (const tool of tools) {
      const spent = await run(tool);
      if (round === 0) continue; // caches are cold
      wall.get(tool)?.push(spent.wallMs / base.wallMs);
      processor.get(tool)?.push(spent.processorMs / Math.max(1, base.processorMs));
    }
  }
  const rows = tools.map((tool) => [
    tool.name,
    number(median(wall.get(tool) ?? [])),
    number(median(processor.get(tool) ?? [])),
  ]);
  print(table(`${title}, as a multiple of node -e 0 (budget ${BUDGETS[title]})`, ['', 'time', 'processor time'], rows));
}

async function comparePaint(tools: readonly Tool[], base: Tool, around: Dependencies): Promise<void> {
  const found = new Map<Tool, number[]>(tools.map((tool) => [tool, []]));
  const faults = new Map<Tool, string>();
  for (let round = 0; round <= rounds; round += 1) {
    const floor = await firstPaint(base.line, around);
    for (const tool of tools.filter((each) => !faults.has(each))) {
      try {
        const time = await firstPaint(tool.line, around);
        if (round > 0) found.get(tool)?.push(time / floor);
      } catch (error) {
        faults.set(tool, (error as Error).message);
      }
    }
  }
  const rows = tools.map((tool) => [tool.name, number(median(found.get(tool) ?? []))]);
  print(
    table(
      `first paint, as a multiple of node -e "console.log(0)" (budget ${BUDGETS['first paint']})`,
      ['', 'time'],
      rows,
    ),
  );
  for (const fault of faults.values()) print(`not measured: ${fault}`);
}
