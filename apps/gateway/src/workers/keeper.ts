import { type ChildProcess, fork } from 'node:child_process';
import type { Report } from '../process/report.ts';
import type { Acceptor, Taker } from './acceptor.ts';
import { type Notice, type Order, workerWord } from './orders.ts';

/** Delays before an ended worker is restarted, in milliseconds: doubled from the first to the last. */
const FIRST_WAIT = 100;
const LONGEST_WAIT = 10_000;
/** A worker that served so many milliseconds is started again after the first wait. */
const SETTLED = 60_000;
/** After this number of consecutive failed starts of one worker, the gateway ends: the fault is permanent. */
const MOST_FAILURES = 5;

export interface KeeperOptions {
  readonly count: number;
  /** The program, as this process was started. */
  readonly program: string;
  /** Of the socket on which workers are served. */
  readonly path: string;
  readonly acceptor: Acceptor;
  readonly report: Report;
  /** A line that a worker reports. @param worker its number */
  readonly onLine: (worker: number, ...line: Parameters<Report>) => void;
  /** A worker cannot be started any more. */
  readonly onHopeless: () => void;
}

/** Starts the workers, starts again those that end, and ends them. */
export interface Keeper {
  /** Whether all of them are ready to serve; false where one ended before, which has reported why. */
  start(): Promise<boolean>;
  reload(): void;
  /** Ends them in order. @returns whether all of them did */
  stop(): Promise<boolean>;
}

interface Running {
  readonly child: ChildProcess;
  readonly send: (order: Order) => void;
  /** When it became ready; null: not yet. */
  readyAt: number | null;
}

export function createKeeper(options: KeeperOptions): Keeper {
  const { count, program, path, acceptor, report, onLine, onHopeless } = options;
  const running = new Map<number, Running>();
  const timers = new Set<NodeJS.Timeout>();
  let started = false;
  let stopping = false;
  let inOrder = true;
  let changed = (): void => {};

  function launch(number: number, failures: number, wait: number): void {
    const child = fork(program, [workerWord({ number, path })], { serialization: 'json' });
    const taker: Taker = {
      hand: (connection, socket) => {
        const order: Order = { order: 'connection', number: connection };
        child.send(order, socket, { keepOpen: true }, () => {}); // its end is seen below
      },
    };
    const one: Running = { child, readyAt: null, send: (order) => void child.send(order, () => {}) };
    running.set(number, one);
    child.on('message', (notice: Notice) => {
      if (notice.notice === 'line') onLine(number, notice.line, notice.level);
      else if (notice.notice === 'taken') acceptor.taken(taker, notice.number);
      else if (notice.notice === 'ending') acceptor.remove(taker);
      else {
        one.readyAt = performance.now();
        if (started && !stopping) report(`Worker ${number} serves again (process ${child.pid}).`, 'info');
        if (!stopping) acceptor.add(taker);
        changed();
      }
    });
    const ended = (code: number | null, how: string): void => {
      if (running.get(number) !== one) return;
      running.delete(number);
      acceptor.remove(taker);
      if (stopping || !started) {
        if (code !== 0) inOrder = false;
        changed();
        return;
      }
      again(number, one, how, failures, wait);
    };
    child.once('exit', (code, signal) => ended(code, code === null ? `signal ${signal}` : `exit code ${code}`));
    child.on('error', (error) => {
      if (child.pid === undefined) ended(null, error.message); // it was never there, so no exit follows
    });
  }

  function again(number: number, { child, readyAt }: Running, how: string, before: number, lastWait: number): void {
    const failures = readyAt === null ? before + 1 : 0;
    if (failures >= MOST_FAILURES) {
      report(`Worker ${number} could not be started ${failures} times in a row: the gateway ends.`, 'error');
      onHopeless();
      return;
    }
    const isSettled = readyAt !== null && performance.now() - readyAt >= SETTLED;
    const wait = isSettled || lastWait === 0 ? FIRST_WAIT : Math.min(lastWait * 2, LONGEST_WAIT);
    const what = readyAt === null ? 'could not be started' : 'ended';
    report(`Worker ${number} (process ${child.pid}) ${what} (${how}). It is started again in ${wait} ms.`, 'error');
    const timer = setTimeout(() => {
      timers.delete(timer);
      launch(number, failures, wait);
    }, wait);
    timers.add(timer);
  }

  const until = (holds: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      changed = () => {
        if (holds()) resolve();
      };
      changed();
    });

  return {
    async start() {
      for (let number = 1; number <= count; number += 1) launch(number, 0, 0);
      await until(() => running.size < count || [...running.values()].every(({ readyAt }) => readyAt !== null));
      started = running.size === count;
      return started;
    },
    reload() {
      for (const { send } of running.values()) send({ order: 'reload' });
    },
    async stop() {
      stopping = true;
      for (const timer of timers) clearTimeout(timer);
      for (const { send } of running.values()) send({ order: 'stop' });
      await until(() => running.size === 0);
      return inOrder;
    },
  };
}
