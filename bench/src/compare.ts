import { writeFileSync } from 'node:fs';
import { readArguments } from './command-line.ts';
import { startLoad } from './load/load.ts';
import { p50, ratio, throughput, typical } from './measures/figures.ts';
import { readComparison } from './measures/options.ts';
import { number, table } from './measures/report.ts';
import { interleave, type Rounds, WARM_UP_MS, warmUp } from './measures/rounds.ts';
import { type Gateway, gateway } from './peers/gateway.ts';
import { startProgram } from './peers/program.ts';

/** Gateways that differ in one aspect only, to measure its cost for the relayed call. */
export interface Comparison {
  /** The script of package.json that runs it, and what it measures, for `--help`. */
  readonly script: string;
  readonly measures: string;
  /** More options of `npm start` for each, by its name in the report. */
  readonly gateways: ReadonlyMap<string, readonly string[]>;
  /** What the others are divided by. */
  readonly against: readonly string[];
  /** Numbers of callers, unless `--callers` gives others. */
  readonly callers: string;
  /** Makes the difference in gateways that run. */
  readonly prepare?: (gateways: readonly Gateway[]) => Promise<void>;
  /** What the figures are, as the file of `--json` names them. */
  readonly kept: string;
  /** The figures of the rounds at one number of callers. */
  readonly figures: (rounds: Rounds) => unknown;
}

/** Measures them in interleaved rounds of plain answers; prints a table for each number of callers. */
export async function compare(comparison: Comparison): Promise<void> {
  const { gateways, against, callers, prepare, kept, figures } = comparison;
  const options = readArguments(usageOf(comparison), (args) => readComparison(args, callers));
  const { rounds, milliseconds } = options;
  const engine = await startProgram(new URL('engine.ts', import.meta.url));
  const load = startLoad();
  const peers: Gateway[] = [];
  try {
    for (const [name, args] of gateways) peers.push(await gateway(name, engine.url, args));
    await prepare?.(peers);
    for (const peer of peers) await warmUp(load, peer, ['plain'], options.warmUpMilliseconds);
    const byCallers: Record<string, unknown> = {};
    for (const count of options.callers) {
      const outcomes = await interleave(load, peers, rounds, (target) => ({
        target,
        answer: 'plain',
        milliseconds,
        arrival: 'closed',
        callers: count,
      }));
      byCallers[count] = figures(outcomes);
      const rows = peers.map(({ name }) => [
        name,
        number(typical(outcomes, name, throughput), 0),
        ...against.map((other) => number(ratio(outcomes, name, other))),
        number(typical(outcomes, name, p50)),
      ]);
      const head = ['', 'calls/s', ...against.map((other) => `÷ ${other}`), 'p50 ms'];
      process.stdout.write(`${table(`${count} callers`, head, rows)}\n`);
    }
    if (options.json !== null) writeFileSync(options.json, `${JSON.stringify({ [kept]: byCallers }, null, 2)}\n`);
  } finally {
    load.stop();
    await Promise.all(peers.map((peer) => peer.stop()));
    engine.child.kill();
  }
}

function usageOf({ script, measures, callers }: Comparison): string {
  return `Usage: npm run ${script} -- [--rounds N] [--milliseconds N] [--warm-up N] [--callers N,N…] [--json FILE]

${measures}

  --rounds N        the number of interleaved rounds (default 8)
  --milliseconds N  the turn of each gateway in a round (default 1500)
  --warm-up N       milliseconds of calls before anything is measured (default ${WARM_UP_MS})
  --callers N,N…    the numbers of callers (default ${callers})
  --json FILE       write the figures to a file`;
}
