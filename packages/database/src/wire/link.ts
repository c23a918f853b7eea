import type { DatabaseAddress } from '../client/address.ts';
import { createOwnedSocket, type OwnedSocket, openSocket } from '../client/owned-socket.ts';
import { hotSettings, type SessionSettings, sessionSettings } from '../client/session-settings.ts';
import {
  DatabaseUnavailable,
  isAskedAgain,
  isPassing,
  isWaitedFor,
  PAUSE_MS,
  unavailable,
} from '../client/unavailable.ts';
import { type Done, type Reply, WireConnection } from './connection.ts';
import type { Parameter } from './request-buffer.ts';

export interface WireLinkOptions {
  readonly address: DatabaseAddress;
  readonly applicationName: string;
  /** Session settings besides those of every link. */
  readonly settings?: SessionSettings;
  /** Milliseconds after which the server itself gives a statement up. */
  readonly budgetMs: number;
  /**
   * Whether the server is told to cancel a statement that is given up. It notices by itself, except in a commit that waits for a
   * synchronous standby: each would hold a connection until the standby is back.
   */
  readonly cancelsCommits?: boolean;
}

/** Called once, with a usable connection, or with the cause why there is none. */
export type Opened = (error: DatabaseUnavailable | null, connection: WireConnection | null) => void;

/** One connection at a time, made when it is needed, by our own client: for the statements of every relayed call. */
export interface WireLink {
  /**
   * While a server is away, attempts are repeated until the deadline, so that a switchover refuses no call. Calls that come later
   * than two budgets after the first failure get one attempt.
   * @param deadline on the clock of `performance.now()`.
   * @param waits whether it waits for more than one attempt. Default true.
   */
  connected(deadline: number, opened: Opened, waits?: boolean): void;
  /** Runs one prepared statement on it that only reads: it is asked again where its connection is lost. */
  execute(text: string, parameters: readonly Parameter[], deadline: number, done: Done): void;
  /** Cuts the connection; the next statement makes a new one. */
  cut(): void;
}

interface Waiting {
  readonly opened: Opened;
  /** Whether it waits for further attempts. */
  readonly isPatient: boolean;
  timer: NodeJS.Timeout | null;
}

/** A connection, or one that is being opened. */
interface Attempt {
  readonly socket: OwnedSocket;
  connection: WireConnection | null;
  isOpen: boolean;
  /** The callers that wait until it is open. */
  waiting: Waiting[];
  /** Until it begins, after one that failed; then until it counts as hanging. */
  timer: NodeJS.Timeout | null;
}

/** Length and code of a CancelRequest with a key of eight bytes, as protocol 3.0 has it. */
const CANCEL_REQUEST = Buffer.from([0, 0, 0, 16, 0x04, 0xd2, 0x16, 0x2e]);

/** The part of a budget after which an attempt hangs, and the next one begins, which may take twice as long, up to a budget. */
const HANGS_AFTER = 0.2;

export function createWireLink(options: WireLinkOptions): WireLink {
  const { address, applicationName, settings, budgetMs, cancelsCommits = false } = options;
  const { user, password = '', database } = address;
  const session = {
    user,
    password,
    database,
    settings: sessionSettings(applicationName, hotSettings(budgetMs, settings)),
  };
  const isReading = settings?.['default_transaction_read_only'] === 'on';
  let current: Attempt | null = null;
  let opened = 0;
  let hangsAfterMs = budgetMs * HANGS_AFTER;
  /** When the first attempt failed since a connection was open, and why the last one did; null while none has. */
  let away: { readonly since: number; readonly cause: unknown } | null = null;

  function give({ waiting, connection }: Attempt, error: DatabaseUnavailable | null): void {
    for (const one of waiting.splice(0)) {
      if (one.timer !== null) clearTimeout(one.timer);
      one.opened(error, error === null ? connection : null);
    }
  }

  function end(attempt: Attempt, error: DatabaseUnavailable): void {
    if (current === attempt) current = null;
    if (attempt.timer !== null) clearTimeout(attempt.timer);
    attempt.socket.destroy();
    give(attempt, error);
    attempt.connection?.destroy();
  }

  /** Callers with time left wait for the next attempt. */
  function fail(attempt: Attempt, cause: unknown): void {
    if (current !== attempt || attempt.isOpen) return end(attempt, unavailable(cause));
    away = { since: away?.since ?? performance.now(), cause };
    const all = attempt.waiting.splice(0);
    const passes = isPassing(cause);
    const next = all.filter(({ isPatient }) => isPatient && passes);
    attempt.waiting = all.filter(({ isPatient }) => !isPatient || !passes);
    if (next.length > 0) current = begin(next, PAUSE_MS);
    end(attempt, unavailable(cause));
  }

  /** On a connection of its own, as the protocol has it. A server that is away has nothing to cancel; a frozen one never closes it. */
  function cancel(key: Buffer): void {
    openSocket(address, budgetMs)
      .then((socket) =>
        socket
          .setTimeout(budgetMs, () => socket.destroy())
          .unref()
          .end(Buffer.concat([CANCEL_REQUEST, key])),
      )
      .catch(() => undefined);
  }

  async function open(attempt: Attempt): Promise<void> {
    const socket = await attempt.socket.open();
    opened += 1;
    const connection = new WireConnection(socket, opened, isReading, cancelsCommits ? cancel : undefined);
    attempt.connection = connection;
    connection.start(session, (error) => {
      if (error !== null) {
        fail(attempt, error);
        return;
      }
      attempt.isOpen = true;
      if (attempt.timer !== null) clearTimeout(attempt.timer);
      away = null;
      hangsAfterMs = budgetMs * HANGS_AFTER;
      give(attempt, null);
    });
  }

  function begin(waiting: Waiting[], afterMs: number): Attempt {
    const socket = createOwnedSocket(address, budgetMs);
    const attempt: Attempt = { socket, connection: null, isOpen: false, waiting, timer: null };
    const hang = (): void => {
      hangsAfterMs = Math.min(2 * hangsAfterMs, budgetMs); // callers join an attempt, and none waits for longer
      fail(attempt, new DatabaseUnavailable('the database did not answer within the budget'));
    };
    const start = (): void => {
      attempt.timer = setTimeout(hang, hangsAfterMs);
      open(attempt).catch((error: unknown) => fail(attempt, error));
    };
    if (afterMs === 0) start();
    else attempt.timer = setTimeout(start, afterMs);
    return attempt;
  }

  /** The deadline of a caller that waits: the attempt continues for the others. */
  function expire(one: Waiting): void {
    const error = unavailable(away?.cause ?? 'the database did not answer within the budget');
    if (current !== null) {
      current.waiting = current.waiting.filter((other) => other !== one);
      if (current.waiting.length === 0) end(current, error);
    }
    one.opened(error, null);
  }

  function connected(deadline: number, then: Opened, waits = true): void {
    const open = current?.isOpen === true ? current.connection : null;
    if (open?.isUsable) {
      then(null, open);
      return;
    }
    if (current === null || current.isOpen) current = begin([], 0);
    const isPatient = waits && isWaitedFor(away?.since ?? null, budgetMs);
    const one: Waiting = { opened: then, isPatient, timer: null };
    one.timer = setTimeout(expire, Math.max(0, deadline - performance.now()), one);
    current.waiting.push(one);
  }

  function execute(text: string, parameters: readonly Parameter[], deadline: number, done: Done, attempts = 1): void {
    connected(deadline, (error, connection) => {
      if (connection === null) return done(error, []);
      connection.execute(text, parameters, deadline, (failed, replies) => {
        if (isAskedAgain(failed, attempts, deadline)) execute(text, parameters, deadline, done, attempts + 1);
        else done(failed, replies);
      });
    });
  }

  return {
    connected,
    execute: (text, parameters, deadline, done) => execute(text, parameters, deadline, done),
    cut() {
      if (current !== null) end(current, new DatabaseUnavailable('the connection was given up'));
    },
  };
}

/** A connection that may be used. @param waits for more than one attempt to open it. @throws DatabaseUnavailable */
export function connection(link: WireLink, deadline: number, waits = true): Promise<WireConnection> {
  return new Promise((resolve, reject) => {
    link.connected(deadline, (error, one) => (one === null ? reject(error) : resolve(one)), waits);
  });
}

/** Runs one prepared statement. @throws ServerError where the server refused it. @throws DatabaseUnavailable otherwise. */
export function execute(
  on: WireConnection,
  text: string,
  parameters: readonly Parameter[],
  deadline: number,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    on.execute(text, parameters, deadline, (error, [reply]) => (reply === undefined ? reject(error) : resolve(reply)));
  });
}

/** Runs several statements without parameters. @returns the reply of the last. */
export function query(on: WireConnection, text: string, deadline: number): Promise<Reply> {
  return new Promise((resolve, reject) => {
    on.query(text, deadline, (error, replies) => {
      const last = replies.at(-1);
      if (last === undefined) reject(error);
      else resolve(last);
    });
  });
}
