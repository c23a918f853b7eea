import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  COMMAND_CHARACTERS,
  type CommandEnd,
  createJobs,
  createKeptOutput,
  endOf,
  type RunningCommand,
} from './jobs.ts';

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

/** What is kept of an output that comes in these pieces. */
function kept(pieces: readonly string[]): string {
  const output = createKeptOutput();
  for (const piece of pieces) output.add(piece);
  return output.take();
}
const CUT = /\n\[(\d+) characters were left out here: [^\]]*\]\n/;

describe('the output of a command', () => {
  it('is kept whole up to its limit, in whatever pieces it comes', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 30 }), (pieces) => {
        // oxlint-disable-next-line no-control-regex
        fc.pre(!pieces.join('').includes('\x1b'));
        expect(kept(pieces)).toBe(pieces.join('').toWellFormed());
      }),
    );
    expect(kept(['x'.repeat(COMMAND_CHARACTERS)])).toBe('x'.repeat(COMMAND_CHARACTERS));
  });

  it('that is longer keeps its beginning and its end, and says exactly how much is left out', () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 40_000 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(sizes, (lengths) => {
        let at = 0;
        const pieces = lengths.map((length) =>
          Array.from({ length }, () => String.fromCharCode(97 + ((at += 1) % 26))).join(''),
        );
        const whole = pieces.join('');
        const [head = '', left = '0', tail = ''] = kept(pieces).split(CUT);
        expect(whole.startsWith(head)).toBe(true);
        expect(whole.endsWith(tail)).toBe(true);
        expect(head.length + Number(left) + tail.length).toBe(whole.length);
        expect(head.length + tail.length).toBe(Math.min(whole.length, COMMAND_CHARACTERS));
      }),
      { numRuns: 40 },
    );
  });

  it('is given once; what follows is given the next time', () => {
    const output = createKeptOutput();
    output.add('first\n');
    expect([output.take(), output.take()]).toEqual(['first\n', '']);
    output.add('y'.repeat(COMMAND_CHARACTERS + 10));
    expect(output.take()).toMatch(CUT);
    output.add('last\n');
    expect(output.take()).toBe('last\n');
  });

  it.each([
    ['\x1b[31mred\x1b[0m', 'red'],
    ['\x1b[38;5;196mred\x1b[m', 'red'],
    ['\x1b]0;a title\x07text', 'text'],
    ['\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\', 'link'],
    ['a\x1b[2K\x1b[1Gb', 'ab'],
    ['\x1bMup', 'up'],
    ['no \x1b', 'no \x1b'],
    ['[31m is text', '[31m is text'],
  ])('has no colours and cursor movements: %j', (written, shown) => {
    expect(kept([written])).toBe(shown);
    expect(kept(Array.from(written))).toBe(shown);
  });

  it('has no half of a character where it is cut', () => {
    for (const shift of ['', 'x']) {
      const text = kept([shift, '😀'.repeat(COMMAND_CHARACTERS)]);
      expect(text.isWellFormed()).toBe(true);
      expect(text).toMatch(CUT);
    }
  });
});
