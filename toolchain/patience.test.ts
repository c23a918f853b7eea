import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';

const FORWARD_SIGNALS = JSON.stringify(new URL('forward-signals.mjs', import.meta.url).href);
/** Says when it runs, and ignores every signal that it can ignore. */
const STUBBORN = `for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => console.log(name));
setInterval(() => {}, 1000);
console.log('runs');`;

/** A program that runs a child beneath itself, and then says how the child ended and which signal came. */
const parentOf = (child: string, patience: number | null): string => `import { spawn } from 'node:child_process';
import { forwardSignals } from ${FORWARD_SIGNALS};
const child = spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: ['ignore', 'inherit', 'inherit'] });
const leave = forwardSignals(child, ${patience});
child.once('exit', (code, signal) => {
  console.log('ended', code, signal, leave());
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) console.log(name, process.listenerCount(name));
});`;

const parents: ChildProcess[] = [];
afterEach(() => {
  for (const parent of parents.splice(0)) parent.kill('SIGKILL');
});

/** Starts the program; its lines are read one by one. */
function started(child: string, patience: number | null) {
  const parent = spawn(process.execPath, ['--input-type=module', '-e', parentOf(child, patience)]);
  parents.push(parent);
  const lines = createInterface({ input: parent.stdout })[Symbol.asyncIterator]();
  return { parent, ended: once(parent, 'close'), next: async () => (await lines.next()).value };
}

describe('a program that runs beneath another', () => {
  it('is killed if it does not end in time after a signal, which is the one that is reported', async () => {
    const { parent, ended, next } = started(STUBBORN, 50);
    expect(await next()).toBe('runs');
    parent.kill('SIGTERM');
    expect(await next()).toBe('SIGTERM');
    expect(await next()).toBe('ended null SIGKILL SIGTERM');
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) expect(await next()).toBe(`${name} 0`);
    expect(await ended).toEqual([0, null]);
  });

  it('gets each signal, and the first one is reported', async () => {
    const { parent, next } = started(`${STUBBORN} process.on('SIGHUP', () => process.exit(3));`, null);
    expect(await next()).toBe('runs');
    parent.kill('SIGINT');
    expect(await next()).toBe('SIGINT');
    parent.kill('SIGHUP');
    expect(await next()).toBe('SIGHUP');
    expect(await next()).toBe('ended 3 null SIGINT');
  });

  it('that ends by itself leaves nothing behind: no signal, no handler, no timer', async () => {
    const { ended, next } = started("console.log('runs'); process.exitCode = 5;", 60_000);
    expect(await next()).toBe('runs');
    expect(await next()).toBe('ended 5 null null');
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) expect(await next()).toBe(`${name} 0`);
    expect(await ended).toEqual([0, null]);
  });
});
