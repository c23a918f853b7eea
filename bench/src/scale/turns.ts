import { parseDatabaseAddress } from '@gateway/database';
import { createDecisionLog } from '@gateway/database/audit-log/decision-log';
import { aDecision, startTestServer } from '@gateway/database/testing';
import { createSigner, generateSigningKey } from '@gateway/ledger';
import { median } from '../load/statistics.ts';

/** Milliseconds that one turn holds the lock of the chain: the fixed part, and the part of each decision in it. */
export interface TurnCost {
  readonly fixed: number;
  readonly each: number;
}

const SMALL = 16;
const LARGE = 512;

/**
 * Measures turns of two logs that take them alternately, on a server of its own that flushes each commit: each finds the entries
 * of the other.
 */
export async function measureTurns(rounds: number): Promise<TurnCost> {
  const server = await startTestServer();
  const open = () =>
    createDecisionLog({
      address: parseDatabaseAddress(server.gatewayUrl),
      signer: createSigner(generateSigningKey()),
      budgetMs: 60_000,
    });
  const logs = [open(), open()] as const;
  const turn = async (log: (typeof logs)[number], size: number): Promise<number> => {
    const batch = Array.from({ length: size }, () => aDecision());
    const from = performance.now();
    await Promise.all(batch.map((decision) => log.append(decision)));
    return performance.now() - from;
  };
  const times = new Map<number, number[]>([
    [SMALL, []],
    [LARGE, []],
  ]);
  try {
    for (let round = -rounds; round < rounds; round += 1) {
      for (const [size, list] of times) {
        for (const log of logs) {
          const time = await turn(log, size);
          if (round >= 0) list.push(time); // the first half warms up
        }
      }
    }
  } finally {
    for (const log of logs) log.close();
    await server.close();
  }
  const [small, large] = [median(times.get(SMALL) ?? []), median(times.get(LARGE) ?? [])];
  const each = (large - small) / (LARGE - SMALL);
  return { fixed: small - SMALL * each, each };
}
