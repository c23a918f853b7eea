import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProgram } from '../peers/program.ts';
import { answering, plain } from '../testing/answers.ts';
import type { Job } from './job.ts';
import { type Load, startLoad } from './load.ts';

let load: Load;
let engine: Awaited<ReturnType<typeof startProgram>>;
beforeAll(async () => {
  load = startLoad();
  engine = await startProgram(new URL('../engine.ts', import.meta.url));
});
afterAll(() => {
  load.stop();
  engine.child.kill();
});

const job = (port: number, more: Partial<Job> = {}): Job =>
  ({
    target: { port, path: '/', headers: {} },
    answer: 'plain',
    milliseconds: 60,
    arrival: 'closed',
    callers: 2,
    ...more,
  }) as Job;

describe('the load program', () => {
  it('counts the calls of its window, and all that ended', async () => {
    const outcome = await load.run(job(Number(engine.url.port)));
    expect(outcome).toMatchObject({ failures: 0, eventDelay: null });
    expect(outcome.calls).toBeGreaterThanOrEqual(2);
    expect(outcome.calls).toBeGreaterThanOrEqual(Math.round((outcome.callsPerSecond * 60) / 1000));
  });

  it('measures the delay of each event of a paced answer, from the write of the engine', async () => {
    const { eventDelay, failures } = await load.run(job(Number(engine.url.port), { answer: 'paced' }));
    expect(failures).toBe(0);
    expect(eventDelay?.p50).toBeGreaterThan(0);
    expect(eventDelay?.p99).toBeGreaterThanOrEqual(eventDelay?.p50 ?? Number.NaN);
  });

  it('starts calls by the clock where that is asked, however long each takes', async () => {
    const held: (() => void)[] = [];
    const { port, close } = await answering((socket, _, number) => {
      held.push(() => socket.write(plain('late')));
      if (number === 10) for (const answer of held) answer();
    });
    const outcome = await load.run(job(port, { arrival: 'open', rate: 100, milliseconds: 100 }));
    expect(outcome).toMatchObject({ failures: 0, calls: 10 });
    close();
  });

  it('counts answers that are no success as failures, and none of their time', async () => {
    const { port, close } = await answering((socket, _, number) =>
      socket.write(plain('x', number % 2 === 0 ? '500 Broken' : '200 OK')),
    );
    const { failures, calls } = await load.run(job(port, { arrival: 'open', rate: 100, milliseconds: 100 }));
    expect([failures, calls]).toEqual([5, 10]);
    close();
  });

  it('counts a caller whose connection breaks, and ends with the others', async () => {
    const { port, close } = await answering((socket, _, number) =>
      number === 1 ? socket.destroy() : socket.write(plain('x')),
    );
    const { failures, calls } = await load.run(job(port));
    expect(failures).toBe(1);
    expect(calls).toBeGreaterThan(0);
    close();
  });
});

it('a load program that cannot connect ends, and says so to who waits for it', async () => {
  const { port, close } = await answering(() => undefined);
  close();
  const alone = startLoad();
  await expect(alone.run(job(port))).rejects.toThrow('the load program ended with 1');
  alone.stop();
});
