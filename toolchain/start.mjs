// `npm start`: installs when needed, then runs the quickstart under the pinned Node. Plain JavaScript for Node 20 or newer.
// Standard output stays untouched: with `--json` it contains one line.
import { spawn } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { forwardSignals } from './forward-signals.mjs';
import { Fault, install, PINNED_NODE } from './install.mjs';

const say = (line) => process.stderr.write(`${line}\n`);

function refuse(line) {
  say(line);
  process.exit(1);
}

if (Number(process.versions.node.split('.')[0]) < 20) {
  refuse(`Node 20 or newer is needed to start; this is ${process.version}. See https://nodejs.org/`);
}
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
try {
  await install(say);
} catch (error) {
  if (!(error instanceof Fault)) throw error;
  refuse(error.message);
}

// The channel's end shows the quickstart that this process has ended, in any way.
const child = spawn(PINNED_NODE, ['apps/quickstart/src/main.ts', ...process.argv.slice(2)], {
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
});
forwardSignals(child);
child.once('error', (error) => refuse(`${PINNED_NODE} cannot be run: ${error.message}`));
child.once('exit', (code, signal) => {
  if (signal === 'SIGKILL') say('The quickstart was killed.');
  process.exit(code ?? (signal === 'SIGINT' ? 130 : 1));
});
