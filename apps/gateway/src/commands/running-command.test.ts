import { PassThrough, Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PIECE } from './pipes.ts';
import { eventsOf, outputOf } from './testing/events.ts';
import { makeWorkdir } from './testing/run.ts';
import { type Staging, stage as staged, stageFor } from './testing/stage.ts';

let workdir: Awaited<ReturnType<typeof makeWorkdir>>;
beforeEach(async () => {
  workdir = await makeWorkdir();
});
afterEach(() => workdir.remove());

const stage = (more: Staging = {}) => staged(workdir.path, more);
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a running command', () => {
  it('is reported from its start to its end', async () => {
    const { caller, stdout, stderr, end } = stage();
    stdout.write('out');
    stderr.write('err');
    await turn();
    end({ code: 3 });
    const events = await eventsOf(caller);
    expect(events).toEqual([
      { evenement: 'demarre', identifiant: 'id', session: 'one', a: '2026-01-01T00:00:00.000Z' },
      { evenement: 'sortie', flux: 'stdout', donnees: 'b3V0' },
      { evenement: 'sortie', flux: 'stderr', donnees: 'ZXJy' },
      { evenement: 'fin', code: 3, signal: null, interrompu: false, dureeMs: expect.any(Number) },
    ]);
  });
  it('is recorded by its size, never by its words', async () => {
    const { run, caller, stdout, end } = stage({ silent: true });
    stdout.write('secret words');
    await turn();
    end();
    expect((await eventsOf(caller)).map(({ evenement }) => evenement)).toEqual(['demarre', 'fin']);
    const record = await run.ended;
    expect(record.written).toEqual({ stdout: 12, stderr: 0 });
    expect(JSON.stringify(record)).not.toContain('secret');
  });
  it('waits while its caller takes nothing', async () => {
    const { caller, stdout, end } = stage();
    stdout.write('x'.repeat(5000));
    await turn();
    expect(stdout.isPaused()).toBe(true);
    stdout.end('y'.repeat(5000));
    const events = eventsOf(caller);
    await new Promise((resolve) => stdout.once('end', resolve));
    end();
    expect(outputOf(await events, 'stdout').toString()).toBe('x'.repeat(5000) + 'y'.repeat(5000));
  });
  it('has at most one piece of each output in transit, with a slow caller and long output, too', async () => {
    const taken: (() => void)[] = [];
    let most = 0;
    const caller = new Writable({
      highWaterMark: 2 ** 30,
      decodeStrings: false,
      write(_line, _encoding, done) {
        taken.push(done);
      },
    });
    const { run, stdout, stderr, end } = stageFor(caller, workdir.path);
    for (const output of [stdout, stderr]) {
      for (let piece = 0; piece < 50; piece += 1) output.write(Buffer.alloc(PIECE, 'x'));
      output.end();
    }
    while (!(stdout.readableEnded && stderr.readableEnded)) {
      for (let idle = 0; idle < 3; idle += 1) await turn(); // time for any output that would arrive unread
      most = Math.max(most, caller.writableLength);
      taken.shift()?.();
    }
    expect(most).toBeGreaterThan(PIECE);
    expect(most).toBeLessThan(3 * PIECE); // two lines of base64, and the first event
    end();
    while (taken.length > 0 || !caller.writableFinished) {
      taken.shift()?.();
      await turn();
    }
    expect((await run.ended).written).toEqual({ stdout: 50 * PIECE, stderr: 50 * PIECE });
  });
  it('is terminated when its caller leaves, and what it still writes is dropped', async () => {
    const { run, asked, caller, stdout, end } = stage();
    caller.destroy();
    await turn();
    expect(asked).toEqual(['terminate']);
    for (let index = 0; index < 100; index += 1) stdout.write('x'.repeat(5000));
    await turn();
    expect(stdout.isPaused()).toBe(false);
    end({ code: null, signal: 'SIGTERM' });
    expect(await run.ended).toMatchObject({ cause: 'disconnected', signal: 'SIGTERM' });
  });
  it('is terminated immediately where its caller had left before', async () => {
    const caller = new PassThrough();
    caller.destroy();
    const { run, asked, end } = stage({ caller });
    expect(asked).toEqual(['terminate']);
    end();
    await run.ended;
  });
  // commands-6
  it('is terminated first and killed after its grace period', async () => {
    const { run, asked, end, caller } = stage();
    run.stop('interrupted');
    run.stop('interrupted');
    expect(asked).toEqual(['terminate']);
    run.stop('revoked');
    expect(asked).toEqual(['terminate', 'kill']);
    end({ code: null, signal: 'SIGKILL' });
    expect((await eventsOf(caller)).at(-1)).toMatchObject({ evenement: 'fin', interrompu: true });
    expect((await run.ended).cause).toBe('interrupted');
  });
  it.each(['revoked', 'output', 'disk', 'unreadable'] as const)(
    'is killed at once when %s, and the cause is reported to its caller',
    async (cause) => {
      const { run, asked, end, caller } = stage();
      run.stop(cause);
      expect(asked).toEqual(['kill']);
      end({ code: null, signal: 'SIGKILL' });
      const events = await eventsOf(caller);
      expect(events.map(({ evenement }) => evenement)).toEqual(['demarre', 'erreur', 'fin']);
      expect(events[1]).toMatchObject({ message: expect.stringMatching(/^[A-Z].*\.$/) });
    },
  );
  it('reaches its output limit, and nothing more is forwarded', async () => {
    const { run, asked, caller, stdout, end } = stage({ limits: { output: 10 } });
    const events = eventsOf(caller);
    stdout.write('12345');
    await turn();
    stdout.write('6789012345');
    await turn();
    expect(asked).toEqual(['kill']);
    end();
    expect((await events).filter(({ evenement }) => evenement === 'sortie')).toHaveLength(1);
    expect(await run.ended).toMatchObject({ cause: 'output', written: { stdout: 15 } });
  });
  it('reaches its limit of duration', async () => {
    const { asked, caller, end } = stage({ limits: { duration: 1 } });
    while (asked.length === 0) await turn();
    expect(asked).toEqual(['terminate']);
    end();
    expect((await eventsOf(caller))[1]).toEqual({
      evenement: 'erreur',
      message: 'The command met its limit of duration: 0.001 seconds.',
    });
  });
  it('that cannot be started receives the cause', async () => {
    const { caller, end } = stage();
    end({ code: null, fault: 'It could not be started.' });
    expect((await eventsOf(caller)).slice(1)).toEqual([
      { evenement: 'erreur', message: 'It could not be started.' },
      { evenement: 'fin', code: null, signal: null, interrompu: false, dureeMs: expect.any(Number) },
    ]);
  });
});
