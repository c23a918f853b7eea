import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answering, plain } from '../testing/answers.ts';
import { peerAt } from '../testing/fakes.ts';
import { type Cost, compareCosts, costOf, warmUpCalls } from './costs.ts';
import { keyOfSubject } from './population.ts';

const linux = existsSync('/proc/self/schedstat');
let keys: string[] = [];
let server: Awaited<ReturnType<typeof answering>>;
beforeAll(async () => {
  server = await answering((socket, request) => {
    for (const [, key = ''] of request.matchAll(/authorization: Bearer (\S+)/gi)) {
      keys.push(key);
      socket.write(plain('{}'));
    }
  });
});
afterAll(() => server.close());

describe('the cost of a call', () => {
  it.runIf(linux)('is the processor time of all processes, divided by the number of calls', async () => {
    const own = { ...peerAt(server.port), pid: process.pid };
    const cost = await costOf({ name: 'one', processes: [own], subjects: 10 }, 50);
    expect(cost.gateway).toBeGreaterThan(0);
    expect(cost.database).toBe(0);
  });

  it('visits subjects all over the population, and the same ones again', async () => {
    const visit = async (): Promise<ReadonlySet<string>> => {
      keys = [];
      await costOf({ name: 'one', processes: [peerAt(server.port)], subjects: 1000 }, 40);
      return new Set(keys);
    };
    const first = await visit();
    expect(first.size).toBe(40);
    expect(await visit()).toEqual(first);
    const known = new Set(Array.from({ length: 1000 }, (_, number) => keyOfSubject(number + 1)));
    expect([...first].filter((key) => !known.has(key))).toEqual([]);
    const hundredFirst = Array.from({ length: 100 }, (_, number) => keyOfSubject(number + 1));
    expect(hundredFirst.filter((key) => first.has(key)).length).toBeLessThan(20);
  });

  it('is measured after calls that warm the process up, with the keys of the few subjects', async () => {
    keys = [];
    await warmUpCalls(peerAt(server.port), 3, 30);
    expect(keys).toHaveLength(30);
    expect(new Set(keys)).toEqual(new Set([1, 2, 3].map((subject) => keyOfSubject(subject))));
  });
});

describe('cases that are compared', () => {
  interface Named {
    readonly name: 'base' | 'crowd' | 'records';
  }
  const CASES: readonly [Named, Named, Named] = [{ name: 'base' }, { name: 'crowd' }, { name: 'records' }];
  const cost = (gateway: number): Cost => ({ gateway, database: gateway / 10 });

  it('take turns, each round begins with another one, and a first round is not counted', async () => {
    const turns: string[] = [];
    await compareCosts(CASES, 3, ({ name }) => {
      turns.push(name);
      return Promise.resolve(cost(1));
    });
    const rounds = Array.from({ length: 4 }, (_, at) => turns.slice(at * 3, at * 3 + 3).map(([first]) => first));
    expect(rounds.map((round) => round.join(''))).toEqual(['bcr', 'bcr', 'crb', 'rbc']);
  });

  it('are divided by the first one of the same round, then the median is taken', async () => {
    // The machine is ten times as slow in the second round.
    const slow = new Map<string, number>();
    const costs = { base: [999, 10, 100, 10], crowd: [999, 20, 200, 30], records: [999, 10, 110, 10] };
    const compared = await compareCosts(CASES, 3, ({ name }) => {
      const number = slow.get(name) ?? 0;
      slow.set(name, number + 1);
      return Promise.resolve(cost(costs[name][number] ?? 0));
    });
    expect(compared).toEqual([
      { name: 'base', gateway: 1, database: 1 },
      { name: 'crowd', gateway: 2, database: 2 },
      { name: 'records', gateway: 1, database: 1 },
    ]);
  });

  it('end with the fault of one of them', async () => {
    const failing = compareCosts(CASES, 1, ({ name }) =>
      name === 'crowd' ? Promise.reject(new Error('a call was answered 503')) : Promise.resolve(cost(1)),
    );
    await expect(failing).rejects.toThrow('a call was answered 503');
  });
});
