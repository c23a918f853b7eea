import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';

const FORWARD_SIGNALS = JSON.stringify(new URL('forward-signals.mjs', import.meta.url).href);
/** Says when it runs, and what ends it. */
const CHILD = `for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(name, () => { console.log(name); process.exit(7); });
setInterval(() => {}, 1000);
console.log('runs');`;
const PARENT = `import { spawn } from 'node:child_process';
import { forwardSignals } from ${FORWARD_SIGNALS};
const child = spawn(process.execPath, ['-e', ${JSON.stringify(CHILD)}], { stdio: ['ignore', 'inherit', 'inherit'] });
forwardSignals(child);
child.once('exit', (code) => process.exit(code));`;

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s to the parent alone ends the child in order', async (signal) => {
  const parent = spawn(process.execPath, ['--input-type=module', '-e', PARENT]);
  const gone = once(parent, 'close');
  const said = createInterface({ input: parent.stdout })[Symbol.asyncIterator]();
  expect((await said.next()).value).toBe('runs');
  parent.kill(signal);
  expect((await said.next()).value).toBe(signal);
  expect(await gone).toEqual([7, null]);
});

it('ends the child when what started the parent was killed', async () => {
  const npm = spawn(process.execPath, [
    '-e',
    `require('node:child_process').spawn(process.execPath, ['--input-type=module', '-e', ${JSON.stringify(PARENT)}], { stdio: 'inherit' })`,
  ]);
  const said = createInterface({ input: npm.stdout })[Symbol.asyncIterator]();
  expect((await said.next()).value).toBe('runs');
  npm.kill('SIGKILL');
  expect((await said.next()).value).toBe('SIGTERM');
  expect((await said.next()).done).toBe(true);
});
