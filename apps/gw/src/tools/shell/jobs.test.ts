import { describe, expect, it } from 'vitest';
import { createJobs, endOf } from './jobs.ts';
import type { CommandEnd, RunningCommand } from './types.ts';

/** A command that ends on demand. */
function command() {
  const { promise: ended, resolve, reject } = Promise.withResolvers<CommandEnd>();
  let stops = 0;
  let output: (text: string) => void = () => undefined;
  const running: RunningCommand = {
    ended,
    async stop() {
      stops += 1;
      resolve({ code: null, signal: 'SIGTERM' });
      await ended;
    },
  };
  return {
    start: async (to: (text: string) => void) => {
      output = to;
      return running;
    },
    write: (text: string) => output(text),
    end: resolve,
    fail: reject,
    stops: () => stops,
  };
}
const ENDED: CommandEnd = { code: 0, signal: null };

describe('background jobs', () => {
  it('have identifiers of their own, also when they start at the same time', async () => {
    const jobs = createJobs();
    const slow = Promise.withResolvers<RunningCommand>();
    const first = jobs.add('first', () => slow.promise);
    const second = await jobs.add('second', command().start);
    slow.resolve(await command().start(() => undefined));
    expect([(await first).id, second.id].toSorted()).toEqual(['1', '2']);
    expect(
      jobs
        .list()
        .map((job) => job.command)
        .toSorted(),
    ).toEqual(['first', 'second']);
  });

  it('that could not be started are not listed', async () => {
    const jobs = createJobs();
    await expect(jobs.add('x', () => Promise.reject(new Error('no shell')))).rejects.toThrow('no shell');
    expect(jobs.list()).toEqual([]);
  });

  it.each(['1', 'job 1', 'Job 1', 'job1'])('are found as %j', async (id) => {
    const jobs = createJobs();
    const job = await jobs.add('x', command().start);
    expect(jobs.find(id)).toBe(job);
  });

  it.each(['', '2', '01', 'job', '1 ', '__proto__'])('are not found as %j', async (id) => {
    const jobs = createJobs();
    await jobs.add('x', command().start);
    expect(jobs.find(id)).toBeNull();
  });

  it('keep their output and their end after they ended', async () => {
    const jobs = createJobs();
    const one = command();
    const job = await jobs.add('make', one.start);
    one.write('begun\n');
    expect([job.output.take(), job.end]).toEqual(['begun\n', null]);
    one.write('done\n');
    one.end({ code: 3, signal: null });
    await expect.poll(() => jobs.list()).toEqual([{ id: '1', command: 'make', state: 'ended', exitCode: 3 }]);
    expect([job.output.take(), job.output.take()]).toEqual(['done\n', '']);
  });

  it('whose connection fails end with the reason', async () => {
    const jobs = createJobs();
    const one = command();
    const job = await jobs.add('x', one.start);
    one.fail(new Error('the gateway is gone'));
    await expect.poll(() => job.end).toMatchObject({ code: null, fault: 'Error: the gateway is gone' });
  });

  it('are all stopped with the session, and those that ended are left alone', async () => {
    const jobs = createJobs();
    const [ended, running, other] = [command(), command(), command()];
    for (const one of [ended, running, other]) await jobs.add('x', one.start);
    ended.end(ENDED);
    await expect.poll(() => jobs.list()[0]?.state).toBe('ended');
    await jobs.stopAll();
    expect([ended.stops(), running.stops(), other.stops()]).toEqual([0, 1, 1]);
    await jobs.stopAll();
    expect([running.stops(), other.stops()]).toEqual([1, 1]);
  });
});

describe('the end of a command', () => {
  it.each([
    [{ code: 0, signal: null }, 'exit code 0'],
    [{ code: null, signal: 'SIGKILL' }, 'ended by SIGKILL'],
    [{ code: null, signal: null }, 'ended by a signal'],
    [{ code: null, signal: null, fault: 'The disk is full.' }, 'The disk is full.'],
  ])('%j is shown as %j', (end, text) => {
    expect(endOf(end)).toBe(text);
  });
});
