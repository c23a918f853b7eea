import type { DatabaseAddress } from './address.ts';
import { type Sql, singleClient } from './client.ts';
import { createOwnedSocket, type OwnedSocket } from './owned-socket.ts';
import { hotSettings } from './session-settings.ts';
import {
  DatabaseUnavailable,
  isPassing,
  isRefusedStatement,
  isWaitedFor,
  PAUSE_MS,
  unavailable,
} from './unavailable.ts';

/** Deadlines of what runs at the same time, by one timer. */
export interface Deadlines {
  /**
   * The result of `running`, or a rejection once its deadline has passed; a later result is ignored.
   * @param deadline on the clock of `performance.now()`. @param late creates the reason for the rejection.
   */
  within<Result>(deadline: number, running: Promise<Result>, late: () => Error): Promise<Result>;
}

interface Waiting {
  readonly deadline: number;
  readonly expire: () => void;
}

/**
 * Deadlines nearly always increase, so the timer stays armed and checks again when it fires. Arming it for each statement took a
 * fiftieth of the processor time of a relayed call.
 */
export function createDeadlines(): Deadlines {
  const waiting = new Set<Waiting>();
  let timer: NodeJS.Timeout | undefined;
  let armedFor = Number.POSITIVE_INFINITY;

  function arm(deadline: number): void {
    if (deadline >= armedFor) return;
    clearTimeout(timer);
    armedFor = deadline;
    // The awaited connection keeps the process alive.
    timer = setTimeout(look, Math.max(0, deadline - performance.now())).unref();
  }

  function look(): void {
    armedFor = Number.POSITIVE_INFINITY;
    timer = undefined;
    const now = performance.now();
    for (const one of waiting) {
      if (one.deadline > now) arm(one.deadline);
      else {
        waiting.delete(one);
        one.expire();
      }
    }
  }

  return {
    within: (deadline, running, late) =>
      new Promise((resolve, reject) => {
        const one: Waiting = { deadline, expire: () => reject(late()) };
        waiting.add(one);
        arm(deadline);
        running.finally(() => waiting.delete(one)).then(resolve, reject);
      }),
  };
}

export interface LinkOptions {
  readonly address: DatabaseAddress;
  readonly applicationName: string;
  /** Session settings besides those of every link. */
  readonly settings?: Readonly<Record<string, string | number>>;
  /** Milliseconds after which the server itself gives a statement up. */
  readonly budgetMs: number;
  /** Whether work may run twice: then it is repeated until its deadline while the server is away. Default false. */
  readonly isRepeatable?: boolean;
}

/**
 * One connection to the database, made on demand. A missed deadline destroys the socket, so that a late answer can never be read
 * as the answer to a later query.
 */
export interface Link {
  /**
   * Runs statements on the connection. `connection` is its number: the server's state of one connection does not exist on the
   * next.
   * @param deadline on the clock of `performance.now()`.
   * @throws PostgresError when the server refused a statement; the connection stays. @throws DatabaseUnavailable otherwise.
   */
  run<Result>(deadline: number, work: (sql: Sql, connection: number) => Promise<Result>): Promise<Result>;
  /** Cuts the connection; the next run makes a new one. */
  cut(): void;
}

interface Connection {
  readonly number: number;
  readonly sql: Sql;
  readonly socket: OwnedSocket;
}

function open({ address, applicationName, settings, budgetMs }: LinkOptions, number: number): Connection {
  const socket = createOwnedSocket(address, budgetMs);
  const session = { applicationName, connectSeconds: budgetMs / 1000, settings: hotSettings(budgetMs, settings) };
  return { number, sql: singleClient(address, session, socket), socket };
}

const late = (): Error => new DatabaseUnavailable('the database did not answer within the budget');

export function createLink(options: LinkOptions): Link {
  let current: Connection | undefined;
  let opened = 0;
  /** When the first attempt failed since one succeeded; null while none has. */
  let awaySince: number | null = null;
  const deadlines = createDeadlines();
  const cut = (): void => {
    const { sql, socket } = current ?? {};
    current = undefined;
    socket?.destroy();
    sql?.end({ timeout: 0 }).catch(() => {}); // drops the client's queue of the cut connection
  };

  async function attempt<Result>(deadline: number, work: Parameters<Link['run']>[1]): Promise<Result> {
    if (!current?.socket.usable()) {
      cut();
      opened += 1;
      current = open(options, opened);
    }
    const { sql, number } = current;
    // Asynchronous, so that work that throws before it gives a promise fails like any other.
    const running = (async () => work(sql, number) as Promise<Result>)();
    try {
      const result = await deadlines.within(deadline, running, late);
      awaySince = null;
      return result;
    } catch (error) {
      if (isRefusedStatement(error)) throw error;
      running.catch(() => {}); // it fails when its connection is cut; its result is no longer used
      cut();
      throw unavailable(error);
    }
  }

  /** Whether a switchover or a restart may end the failure before the deadline. */
  function mayPass(error: unknown, deadline: number): boolean {
    if (options.isRepeatable !== true || !(error instanceof DatabaseUnavailable) || !isPassing(error)) return false;
    const now = performance.now();
    awaySince ??= now;
    return now + PAUSE_MS < deadline && isWaitedFor(awaySince, options.budgetMs);
  }

  return {
    cut,
    async run(deadline, work) {
      for (;;) {
        try {
          return await attempt(deadline, work);
        } catch (error) {
          if (!mayPass(error, deadline)) throw error;
          await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        }
      }
    },
  };
}
