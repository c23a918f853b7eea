import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readArguments } from './command-line.ts';
import { startLoad } from './load/load.ts';
import { openFloor } from './measures/floor.ts';
import { grow } from './measures/grown.ts';
import { readOptions } from './measures/options.ts';
import { measureClosed } from './measures/plain.ts';
import { summaryRows, table } from './measures/report.ts';
import { interleave, warmUp } from './measures/rounds.ts';
import { NAMES, summarize } from './measures/summary.ts';
import { measureTwoProcesses } from './measures/two-processes.ts';
import { bare } from './peers/bare.ts';
import { direct } from './peers/direct.ts';
import { gateway } from './peers/gateway.ts';
import { nginx } from './peers/nginx.ts';
import { type Peer, PeerAbsent } from './peers/peer.ts';
import { portkey } from './peers/portkey.ts';
import { residentMemory, startProgram } from './peers/program.ts';
import { secondProcess } from './peers/second-process.ts';

const USAGE = `Usage: npm run bench -- [--quick] [--rounds N] [--json FILE]

Measures the gateway beside its peers: over half an hour, or four minutes with --quick.

  --quick      short turns and small tables: the figures of two runs differ by a third
  --rounds N   the number of interleaved rounds (default 8, with --quick 6)
  --json FILE  write the ratios to a file`;

const options = readArguments(USAGE, readOptions);
const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
/** The build that `npm run build` makes; `npm start` runs the hosted one. */
const DEFAULT_BUILD = ['--profile', 'on-premise'];

/** The peer, or nothing and a line that names what is missing. */
async function ifPresent(start: () => Promise<Peer>): Promise<readonly Peer[]> {
  try {
    return [await start()];
  } catch (error) {
    if (!(error instanceof PeerAbsent)) throw error;
    print(`left out: ${error.message}`);
    return [];
  }
}

const engine = await startProgram(new URL('engine.ts', import.meta.url));
const load = startLoad();
const secondLoad = startLoad();
const memoryDisk = options.onMemory && existsSync('/dev/shm') ? mkdtempSync('/dev/shm/bench-') : null;
const started: Peer[] = [];
const keep = <T extends Peer>(peer: T): T => {
  started.push(peer);
  return peer;
};

try {
  const whole = keep(await gateway(NAMES.whole, engine.url, DEFAULT_BUILD));
  const onMemory =
    memoryDisk === null
      ? []
      : [keep(await gateway('gateway, log on RAM', engine.url, [...DEFAULT_BUILD, '--data', memoryDisk]))];
  const hosted = keep(await gateway(NAMES.hosted, engine.url));
  const filled = keep(await gateway(NAMES.grown, engine.url));
  const straight = keep(direct(engine.url));
  const bareProxy = keep(await bare(engine.url));
  const others = [...(await ifPresent(() => nginx(engine.url))), ...(await ifPresent(() => portkey(engine.url)))];
  others.forEach(keep);
  const peers: readonly Peer[] = [straight, bareProxy, whole, ...onMemory, hosted, ...others];
  const streaming: readonly Peer[] = [straight, bareProxy, whole];
  for (const peer of peers.filter((one) => one !== straight))
    await warmUp(load, peer, streaming.includes(peer) ? ['plain', 'burst'] : ['plain'], options.warmUpMilliseconds);

  // The floor is sampled between the rounds it is compared with.
  const floor = await openFloor(whole.database.owner);
  const floors: number[] = [];
  let memoryMB = Number.NaN;
  const plain = await measureClosed(load, peers, 'plain', options, print, async (callers) => {
    if (callers === 1) floors.push(await floor.sample());
    if (callers === 256 && whole.pid !== null) memoryMB = residentMemory(whole.pid);
  });
  await floor.stop();
  const burst = await measureClosed(load, streaming, 'burst', options, print);

  const open = await interleave(load, [straight, whole], options.rounds, (target) => ({
    target,
    answer: 'plain',
    milliseconds: options.milliseconds * 2,
    arrival: 'open',
    rate: 500,
  }));
  const paced = await interleave(load, [straight, whole], options.rounds, (target) => ({
    target,
    answer: 'paced',
    milliseconds: options.milliseconds,
    arrival: 'closed',
    callers: 16,
  }));

  print(`\nFilling the grown tables with ${options.grownRows} usage records and as many decisions …`);
  await grow(filled.database.owner, options.grownRows);
  await warmUp(load, filled, ['plain'], options.warmUpMilliseconds);
  const grown = await interleave(load, [hosted, filled], options.rounds, (target) => ({
    target,
    answer: 'plain',
    milliseconds: options.milliseconds,
    arrival: 'closed',
    callers: 64,
  }));

  const second = keep(await secondProcess(whole));
  await warmUp(load, second, ['plain'], options.warmUpMilliseconds);
  const twoProcessesToOne: Record<string, number> = {};
  for (const callers of [64, 256])
    twoProcessesToOne[callers] = await measureTwoProcesses([load, secondLoad], [whole, second], callers, options);

  const summary = summarize({ plain, burst, open, paced, grown, floors, twoProcessesToOne, memoryMB });
  print(
    table(
      `Ratios, medians of ${options.rounds} interleaved rounds`,
      ['', 'measured'],
      summaryRows(summary, options.grownRows),
    ),
  );
  if (options.json !== null) writeFileSync(options.json, `${JSON.stringify(summary, null, 2)}\n`);
} finally {
  load.stop();
  secondLoad.stop();
  await Promise.all(started.map((peer) => peer.stop()));
  engine.child.kill();
  if (memoryDisk !== null) rmSync(memoryDisk, { recursive: true, force: true });
}
