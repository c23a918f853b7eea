import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventsOf, outputOf } from '../../commands/testing/events.ts';
import { shell } from '../../commands/testing/run.ts';
import { type CommandHub, granted, openCommandHub, refusalOf } from '../testing/command-hub.ts';

const NO_ANSWER = 'the process that runs agent commands gave no answer';

let main: CommandHub;
beforeEach(async () => {
  main = await openCommandHub();
});
afterEach(() => main.close());

/** Runs a command to its end. */
async function run(command: ReturnType<typeof granted>, worker = main.worker()) {
  await worker.recordStart(command);
  const caller = new PassThrough();
  const [events] = await Promise.all([eventsOf(caller), worker.run(command, caller)]);
  return events;
}

/** A command that has begun: its caller has read its first output. */
async function begin(script = 'echo begun; sleep 60', worker = main.worker()) {
  const command = granted(shell(script));
  await worker.recordStart(command);
  const caller = new PassThrough();
  let text = '';
  const begun = new Promise<void>((resolve) => {
    caller.on('data', (chunk) => {
      text += String(chunk);
      if (text.includes('"sortie"')) resolve();
    });
  });
  const closed = new Promise<void>((resolve) => caller.once('close', () => resolve()));
  const over = worker.run(command, caller);
  await begun;
  return { command, worker, caller, over, closed, text: () => text };
}

describe('a command of a worker', () => {
  it('runs in the main process with its variables, and its caller gets every byte', async () => {
    const variables = new Map([
      ['GREETING', 'zwölf "Boxkämpfer"\n\u2028'],
      ['EMPTY', ''],
    ]);
    const command = granted(shell('printf "%s|$EMPTY|" "$GREETING"; echo no >&2; exit 7', { variables }));
    const events = await run(command);
    expect(outputOf(events, 'stdout').toString()).toBe('zwölf "Boxkämpfer"\n\u2028||');
    expect(outputOf(events, 'stderr').toString()).toBe('no\n');
    expect(events[0]).toMatchObject({ evenement: 'demarre', identifiant: command.identifier });
    expect(events.at(-1)).toMatchObject({ evenement: 'fin', code: 7 });
    expect(main.starts).toMatchObject([{ id: command.identifier, subject: 'ada', interpreter: 'sh' }]);
    expect(await main.endOf(command.identifier)).toMatchObject({ code: 7, cause: null, fault: null });
  });

  it('passes a large output through a caller that reads slowly', async () => {
    const command = granted(shell('head -c 3000000 /dev/zero'));
    const worker = main.worker();
    await worker.recordStart(command);
    const caller = new PassThrough({ highWaterMark: 1000 });
    const over = worker.run(command, caller);
    for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate);
    const events = await eventsOf(caller);
    await over;
    expect(outputOf(events, 'stdout')).toHaveLength(3_000_000);
  });

  it('is inspected by the policy that the worker read, and not started where that policy cannot be read', async () => {
    const policy = { id: 'organization', revision: 4 } as never;
    const [readable, unreadable] = [granted(shell('true'), { policy }), granted(shell('true'), { policy })];
    await run(readable);
    expect(main.inspected).toEqual([policy]);
    main.fault = new Error('the policy cannot be read');
    await expect(main.worker().recordStart(unreadable)).rejects.toThrow('the policy cannot be read');
    expect(main.starts.map(({ id }) => id)).toEqual([readable.identifier]);
  });

  it('whose start cannot be recorded is refused with the cause, and nothing of it runs', async () => {
    main.fault = new Error('the database is read-only');
    const command = granted(shell('true'));
    const worker = main.worker();
    await expect(worker.recordStart(command)).rejects.toThrow('the database is read-only');
    const caller = new PassThrough();
    await worker.run(command, caller);
    worker.recordNeverRan(command, 'shutdown');
    expect(caller.readableLength).toBe(0);
    expect(main.ends).toEqual([]);
  });

  it.each([null, 'revoked', 'shutdown'] as const)(
    'that never ran is recorded once, with the cause %j',
    async (cause) => {
      const command = granted(shell('true'));
      const worker = main.worker();
      await worker.recordStart(command);
      worker.recordNeverRan(command, cause);
      worker.recordNeverRan(command, 'interrupted');
      expect(await main.endOf(command.identifier)).toMatchObject({ code: null, cause });
      await run(granted(shell('true')), worker);
      expect(main.ends.filter(({ id }) => id === command.identifier)).toHaveLength(1);
    },
  );

  it('ends when its caller leaves, also where it left before the command began', async () => {
    const { command, caller, over } = await begin();
    caller.destroy();
    await over;
    expect(await main.endOf(command.identifier)).toMatchObject({ cause: 'disconnected' });
    const gone = new PassThrough();
    gone.destroy();
    await once(gone, 'close');
    const early = granted(shell('sleep 60'));
    const worker = main.worker();
    await worker.recordStart(early);
    await worker.run(early, gone);
    expect(await main.endOf(early.identifier)).toMatchObject({ cause: 'disconnected' });
  });

  it('is interrupted through any worker, by its own subject alone', async () => {
    const { command, over } = await begin();
    const other = main.worker();
    expect(await other.interrupt(command.identifier, 'eve')).toBe(false);
    expect(await other.interrupt('no-such-command', 'ada')).toBe(false);
    expect(await other.interrupt(command.identifier, 'ada')).toBe(true);
    await over;
    expect(await main.endOf(command.identifier)).toMatchObject({ cause: 'interrupted' });
  });

  it('names its parent session in the main process', async () => {
    await main.worker().recordDescent({ subject: 'ada', session: 'child' }, 'parent');
    expect(main.descents).toEqual([[{ subject: 'ada', session: 'child' }, 'parent']]);
  });
});

describe('slots for commands', () => {
  it('are shared by all workers, and free again as soon as they are released', async () => {
    const workers = [main.worker(), main.worker()];
    const slots = await Promise.all([...workers, ...workers].map(async (one) => one.takeSlot('ada')));
    expect(slots.map(refusalOf)).toEqual([null, null, null, null]);
    const fifth = await main.worker().takeSlot('ada');
    expect(refusalOf(fifth)).toMatchObject({ code: 'subject-at-limit', details: { limit: '4' } });
    const others = [await main.worker().takeSlot('eve'), await main.worker().takeSlot('eve')];
    expect(others.map(refusalOf)).toEqual([null, null]);
    expect(refusalOf(await main.worker().takeSlot('bob'))).toMatchObject({ code: 'commands-at-limit' });
    for (const slot of [...slots, ...others]) if ('release' in slot) slot.release();
    let again = await main.worker().takeSlot('bob');
    while (refusalOf(again) !== null) again = await main.worker().takeSlot('bob');
    expect(again).toHaveProperty('release');
  });
});

describe('a worker that is stopped', () => {
  it('ends its running commands in order, and their callers get the whole stream', async () => {
    const { command, worker, over, text } = await begin();
    await worker.close();
    await over;
    const lines = text().trimEnd().split('\n');
    expect(lines.at(-2)).toContain('This gateway is being stopped.');
    expect(lines.at(-1)).toContain('"fin"');
    expect(await main.endOf(command.identifier)).toMatchObject({ cause: 'shutdown' });
  });

  it('leaves the commands of other workers alone', async () => {
    const [stopped, other] = [await begin(), await begin()];
    await stopped.worker.close();
    expect(other.text()).not.toContain('"fin"');
    await other.worker.interrupt(other.command.identifier, 'ada');
    await other.over;
    expect(await main.endOf(other.command.identifier)).toMatchObject({ cause: 'interrupted' });
  });
});

describe('a main process that ends', () => {
  it('breaks the streams of running commands off: no caller takes them for whole', async () => {
    const { caller, over, closed } = await begin();
    main.hub.close();
    await over;
    await closed;
    expect(caller.readableEnded).toBe(false);
  });

  it('between the start and the run of a command breaks its stream off, too', async () => {
    const worker = main.worker();
    const command = granted(shell('sleep 60'));
    await worker.recordStart(command);
    main.hub.close();
    expect(await main.endOf(command.identifier)).toMatchObject({ cause: 'disconnected' });
    await new Promise(setImmediate);
    const caller = new PassThrough();
    const closed = once(caller, 'close');
    await worker.run(command, caller);
    await closed;
    expect(caller.readableEnded).toBe(false);
  });

  it('fails every further request of a worker', async () => {
    const worker = main.worker();
    main.hub.close();
    await expect(worker.takeSlot('ada')).rejects.toThrow(NO_ANSWER);
    await expect(worker.recordStart(granted(shell('true')))).rejects.toThrow(NO_ANSWER);
    await expect(worker.interrupt('any', 'ada')).rejects.toThrow(NO_ANSWER);
    await expect(worker.recordDescent({ subject: 'ada', session: 's' }, 'p')).rejects.toThrow(NO_ANSWER);
  });
});
