// A worker that does what a test wrote into the file `<number>` of the directory that it got as the path of its hub.
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { workerOf } from '../orders.ts';
import { announceEnd, obey, reportToMain, takeConnections } from '../worker.ts';

const argument = workerOf(process.argv.slice(2));
if (argument === null) throw new Error('it was not started as a worker');
const { number, path } = argument;
const file = join(path, String(number));
const behaviour = existsSync(file) ? readFileSync(file, 'utf8') : 'serve';
const name = `worker ${number}`;

if (behaviour.startsWith('exit ')) process.exit(Number(behaviour.slice(5)));
const server = createServer((request, response) => {
  if (request.url === '/leave') announceEnd();
  response.writeHead(200, { connection: 'close' }).end(JSON.stringify({ name, pid: process.pid }));
});
obey({
  reload: () => reportToMain(`${name} reloads`, 'info'),
  stop() {
    if (behaviour === 'refuse to stop') process.kill(process.pid, 'SIGKILL');
    process.exit(behaviour === 'fail at the end' ? 3 : 0);
  },
});
if (behaviour !== 'hang') takeConnections(server);
