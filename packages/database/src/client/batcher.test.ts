import { setImmediate as turn } from 'node:timers/promises';
import { array, assert, asyncProperty, boolean, integer, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askBatcher, type BatcherOptions, createBatcher, createBatchWindow } from './batcher.ts';
import { DatabaseUnavailable } from './unavailable.ts';

const SOON = (): number => performance.now() + 60_000;
const PAST = 0;

/** A batcher whose batches are answered when the test says so. */
function held(limit = 100) {
  const batches: { readonly queries: readonly number[]; readonly deadline: number; readonly answer: Answer }[] = [];
  const sizes: number[] = [];
  const waiting: (() => void)[] = [];
  const batcher = createBatcher<number, string>({
    limit,
    onBatch: (size) => sizes.push(size),
    answer(queries, deadline, answer) {
      batches.push({ queries: [...queries], deadline, answer });
      waiting.shift()?.();
    },
  });
  /** Resolves with the next batch. */
  const next = async () => {
    if (batches.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    const batch = batches.shift();
    if (batch === undefined) throw new Error('no batch was sent');
    return batch;
  };
  return { batcher, next, sizes, batches };
}
type Answer = Parameters<BatcherOptions<number, string>['answer']>[2];

describe('queries that arrive together', () => {
  it('share a round trip, and each gets its own answer', async () => {
    const { batcher, next, sizes } = held();
    const answers = [1, 2, 3].map((query) => askBatcher(batcher, query, SOON()));
    const { queries, answer } = await next();
    expect(queries).toEqual([1, 2, 3]);
    answer(
      null,
      queries.map((query) => `answer ${query}`),
    );
    expect(await Promise.all(answers)).toEqual(['answer 1', 'answer 2', 'answer 3']);
    expect(sizes).toEqual([3]);
  });

  it('are sent with the nearest of their deadlines', async () => {
    const { batcher, next } = held();
    const near = SOON();
    const answers = [near + 5, near, near + 9].map((deadline) => askBatcher(batcher, 0, deadline));
    const { deadline, answer } = await next();
    expect(deadline).toBe(near);
    answer(null, ['', '', '']);
    await Promise.all(answers);
  });

  it('leave in batches of the limit, in their order', async () => {
    const { batcher, next } = held(2);
    const answers = [1, 2, 3, 4, 5].map((query) => askBatcher(batcher, query, SOON()));
    const sent: (readonly number[])[] = [];
    while (sent.flat().length < 5) {
      const { queries, answer } = await next();
      sent.push(queries);
      answer(null, queries.map(String));
    }
    expect(sent).toEqual([[1, 2], [3, 4], [5]]);
    expect(await Promise.all(answers)).toEqual(['1', '2', '3', '4', '5']);
  });
});

describe('a query that arrives while a batch is under way', () => {
  it('is asked in the next one: no answer from before it is used for it (roles-15)', async () => {
    const { batcher, next, batches } = held();
    const first = askBatcher(batcher, 1, SOON());
    const before = await next();
    const second = askBatcher(batcher, 1, SOON());
    for (let turns = 0; turns < 10; turns += 1) await new Promise(setImmediate);
    expect(batches).toEqual([]);
    before.answer(null, ['old']);
    (await next()).answer(null, ['new']);
    expect([await first, await second]).toEqual(['old', 'new']);
  });

  it('is asked even where it comes from the receiver of an answer', async () => {
    const { batcher, next } = held();
    const again = new Promise<string>((resolve) => {
      batcher.ask(1, SOON(), () => batcher.ask(2, SOON(), (_, answer) => resolve(answer ?? '')));
    });
    (await next()).answer(null, ['']);
    const { queries, answer } = await next();
    expect(queries).toEqual([2]);
    answer(null, ['second']);
    expect(await again).toBe('second');
  });
});

describe('what fails', () => {
  it('refuses one query, where only its answer is an error', async () => {
    const { batcher, next } = held();
    const outcomes = Promise.allSettled([1, 2].map((query) => askBatcher(batcher, query, SOON())));
    (await next()).answer(null, [new Error('only this one'), 'fine']);
    expect(await outcomes).toMatchObject([
      { status: 'rejected', reason: { message: 'only this one' } },
      { status: 'fulfilled', value: 'fine' },
    ]);
  });

  it('refuses the whole batch, and the next one is asked', async () => {
    const { batcher, next } = held();
    const outcomes = Promise.allSettled([1, 2].map((query) => askBatcher(batcher, query, SOON())));
    (await next()).answer(new Error('the connection broke'), []);
    for (const outcome of await outcomes)
      expect(outcome).toMatchObject({ reason: { message: 'the connection broke' } });
    const later = askBatcher(batcher, 3, SOON());
    (await next()).answer(null, ['fine']);
    expect(await later).toBe('fine');
  });

  it('is a query past its deadline: it is not sent, and delays no other', async () => {
    const { batcher, next, sizes } = held(1);
    const late = [1, 2].map((query) => askBatcher(batcher, query, PAST).catch((error: unknown) => error));
    const inTime = askBatcher(batcher, 3, SOON());
    const { queries, answer } = await next();
    answer(null, ['fine']);
    expect(queries).toEqual([3]);
    expect(await inTime).toBe('fine');
    for (const one of late) expect(await one).toBeInstanceOf(DatabaseUnavailable);
    expect(sizes).toEqual([1]);
  });

  it('does not keep a later query from being asked, where all before it were late', async () => {
    const { batcher, next } = held();
    await expect(askBatcher(batcher, 1, PAST)).rejects.toBeInstanceOf(DatabaseUnavailable);
    const later = askBatcher(batcher, 2, SOON());
    (await next()).answer(null, ['fine']);
    expect(await later).toBe('fine');
  });
});

it('every query is answered exactly once, with its own answer or a refusal', async () => {
  const query = record({ inTime: boolean(), fails: boolean(), turns: integer({ min: 0, max: 3 }) });
  await assert(
    asyncProperty(
      array(query, { maxLength: 40 }),
      integer({ min: 1, max: 7 }),
      boolean(),
      async (all, limit, breaks) => {
        let batches = 0;
        const batcher = createBatcher<number, string>({
          limit,
          answer(queries, _, answered) {
            expect(queries.length).toBeLessThanOrEqual(limit);
            batches += 1;
            const broken = breaks && batches % 3 === 0 ? new Error('broken') : null;
            setImmediate(() =>
              answered(
                broken,
                queries.map((index) => (all[index]?.fails === true ? new Error(`no ${index}`) : `yes ${index}`)),
              ),
            );
          },
        });
        const given = all.map(() => [] as string[]);
        const done = all.map(async ({ inTime, turns }, index) => {
          for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
          await new Promise<void>((resolve) => {
            batcher.ask(index, inTime ? SOON() : PAST, (error, answer) => {
              given[index]?.push(error === null ? String(answer) : error.message);
              resolve();
            });
          });
        });
        await Promise.all(done);
        for (const [index, { inTime, fails }] of all.entries()) {
          expect(given[index]).toHaveLength(1);
          const [said = ''] = given[index] ?? [];
          const own = `${fails ? 'no' : 'yes'} ${index}`;
          const possible = inTime
            ? [own, ...(breaks ? ['broken'] : [])]
            : ['the database was not asked within the budget'];
          expect(possible).toContain(said);
        }
      },
    ),
  );
});

/** Turns of the loop until the batch leaves; `arrivals` lists the new queries of each turn. */
async function turnsUntilLeaving(first: number, ...arrivals: readonly number[]): Promise<number> {
  let waiting = first;
  let turns = 0;
  const left = new Promise<number>((resolve) => {
    createBatchWindow(
      () => waiting,
      () => resolve(turns + 1),
    )();
  });
  for (; turns < 10; turns += 1) {
    await turn();
    waiting += arrivals[turns] ?? 0;
  }
  return left;
}

it('a single query leaves after a turn without another', async () => {
  expect(await turnsUntilLeaving(1)).toBe(2);
});

it('a batch waits while every turn adds more', async () => {
  expect(await turnsUntilLeaving(1, 1)).toBe(3);
});

it('but for a few turns only', async () => {
  expect(await turnsUntilLeaving(1, 1, 1, 1, 1, 1, 1)).toBe(4);
});

it('and not at all where there is enough of it', async () => {
  expect(await turnsUntilLeaving(16)).toBe(1);
});

it('nothing waits: it leaves at the end of the turn', async () => {
  expect(await turnsUntilLeaving(0)).toBe(1);
});

it('a window may be used again', async () => {
  const left: number[] = [];
  let done = Promise.withResolvers<void>();
  const begin = createBatchWindow(
    () => 16,
    () => {
      left.push(left.length);
      done.resolve();
    },
  );
  for (let round = 0; round < 3; round += 1) {
    done = Promise.withResolvers<void>();
    begin();
    await done.promise;
  }
  expect(left).toEqual([0, 1, 2]);
});
