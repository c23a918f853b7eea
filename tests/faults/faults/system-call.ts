import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { keyOf } from '../database.ts';
import type { World } from '../world.ts';
import type { Fault } from './fault.ts';

/** Calls with which a request is read, decided, relayed and recorded. */
const CALLS =
  'read,readv,write,writev,pwrite64,sendto,sendmsg,recvfrom,recvmsg,openat,close,fsync,fdatasync,epoll_ctl,shutdown';
const FILES = 'write,pwrite64,openat,fsync,fdatasync';
/** A request makes fewer. */
const MOST = 400;

const missing = (): string | null =>
  spawnSync('strace', ['-qq', '-e', 'inject=getpid:error=EIO', 'true']).status === 0
    ? null
    : 'strace is not installed, or may not trace here (apt-get install strace)';

/** Attaches strace to a gateway. Resolves once it is attached, with what detaches it. */
async function inject(pid: number, ...words: readonly string[]): Promise<() => Promise<void>> {
  const tracer = spawn('strace', ['-f', '-p', String(pid), '-o', '/dev/null', ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(tracer, 'close');
  await Promise.race([once(tracer.stderr, 'data'), ended]); // "Process 1 attached"
  tracer.stderr.resume();
  return async () => {
    tracer.kill('SIGINT');
    // It may wait for a thread of a killed process that never reports its end.
    const impatience = setTimeout(() => tracer.kill('SIGKILL'), 2000);
    await ended;
    clearTimeout(impatience);
  };
}

/**
 * Kills one gateway at its nth system call, for each `step`th n, with one request at a time, until a request ends
 * before its nth call.
 * @returns how many times it was killed
 */
export async function killAtEachCall({ callers, gateways }: World, step: number): Promise<number> {
  // A token would have a gateway that has just started fetch the provider's keys, which takes hundreds of calls.
  const key = keyOf('caller');
  await callers.pause();
  let killed = 0;
  for (let nth = 1; nth <= MOST; nth += step) {
    const detach = await inject(
      gateways.pid(0),
      '-e',
      `trace=${CALLS}`,
      '-e',
      `inject=${CALLS}:signal=KILL:when=${nth}`,
    );
    // Calls go to the gateways in turn: one of these goes to the first.
    const statuses: number[] = [];
    for (let number = 0; number < gateways.count; number += 1) statuses.push(await callers.call('plain', key));
    await detach();
    // A process that was killed is reported a moment later, and what follows the answer is of the request, too.
    if (!(await gateways.endsWithin(0, statuses.includes(0) ? 5000 : 500))) break;
    killed += 1;
    gateways.counts.kills += 1;
    await gateways.restart(0);
  }
  callers.resume();
  return killed;
}

export const SYSTEM_CALL_FAULTS: readonly Fault[] = [
  {
    name: 'gateway killed at a system call',
    missing,
    async run(world) {
      const { gateways, moreCalls, random } = world;
      const number = random.below(gateways.count);
      const words = ['-e', `trace=${CALLS}`, '-e', `inject=${CALLS}:signal=KILL:when=${1 + random.below(MOST)}`];
      const detach = await inject(gateways.pid(number), ...words);
      await moreCalls(60);
      await detach();
      if (gateways.isRunning(number)) return;
      gateways.counts.kills += 1;
      await gateways.restart(number);
    },
  },
  {
    name: 'file operations of the gateway fail',
    missing,
    async run({ gateways, moreCalls, random }) {
      const number = random.below(gateways.count);
      const first = 1 + random.below(40);
      const words = [
        '-e',
        `trace=${FILES}`,
        '-e',
        `inject=${FILES}:error=EIO:when=${first}..${first + random.below(4)}`,
      ];
      const detach = await inject(gateways.pid(number), ...words);
      await moreCalls(60);
      await detach();
      if (!gateways.isRunning(number)) await gateways.restart(number);
    },
  },
];

export const mayTrace = (): boolean => missing() === null;
