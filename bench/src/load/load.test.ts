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

  it('sends the same request again and again on each of its connections, and opens no other', async () => {
    const sockets = new Map<object, string[]>();
    const { port, close } = await answering((socket, request) => {
      sockets.set(socket, [...(sockets.get(socket) ?? []), request]);
      socket.write(plain('x'));
    });
    const { calls } = await load.run(job(port, { callers: 3 }));
    const requests = [...sockets.values()].flat();
    expect(sockets.size).toBe(3);
    expect(requests).toHaveLength(calls);
    expect(new Set(requests).size).toBe(1);
    expect(requests[0]).toMatch(/^POST \/ HTTP\/1\.1\r\n/);
    close();
  });

  it('measures no delay of events where none carries the time of its sending', async () => {
    const { port, close } = await answering((socket) => socket.write(plain('data: {}\n\n')));
    expect((await load.run(job(port, { answer: 'burst' }))).eventDelay).toBeNull();
    close();
  });

  it('uses a connection again where calls start by the clock and the one before has ended', async () => {
    const sockets = new Set<object>();
    const { port, close } = await answering((socket) => {
      sockets.add(socket);
      socket.write(plain('x'));
    });
    const { calls } = await load.run(job(port, { arrival: 'open', rate: 200, milliseconds: 100 }));
    expect(calls).toBe(20);
    expect(sockets.size).toBeLessThan(20);
    close();
  });

  it('has no latency, rather than one of nothing, where every call failed', async () => {
    const { port, close } = await answering((socket) => socket.write(plain('x', '503 Busy')));
    const outcome = await load.run(job(port));
    expect(outcome.callsPerSecond).toBe(0);
    expect(outcome.failures).toBe(outcome.calls);
    expect(outcome.p50).toBeNull(); // JSON has no NaN
    close();
  });

  it('takes one job after another', async () => {
    const { port, close } = await answering((socket) => socket.write(plain('x')));
    const outcomes = [await load.run(job(port)), await load.run(job(port, { callers: 1 }))];
    for (const { failures, calls } of outcomes) expect([failures, calls > 0]).toEqual([0, true]);
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
