import type { DatabaseAddress } from '../client/address.ts';
import { createOwnedSocket, type OwnedSocket } from '../client/owned-socket.ts';
import { hotSettings, type SessionSettings, sessionSettings } from '../client/session-settings.ts';
import { DatabaseUnavailable, unavailable } from '../client/unavailable.ts';
import { type Done, WireConnection } from './connection.ts';
import type { Parameter } from './request-buffer.ts';

export interface WireLinkOptions {
  readonly address: DatabaseAddress;
  readonly applicationName: string;
  /** Session settings besides those of every link. */
  readonly settings?: SessionSettings;
  /** Milliseconds after which the server itself gives a statement up. */
  readonly budgetMs: number;
}

/** Called once, with a usable connection, or with the cause why there is none. */
export type Opened = (error: DatabaseUnavailable | null, connection: WireConnection | null) => void;

/** One connection at a time, made when it is needed, by our own client: for the statements of every relayed call. */
export interface WireLink {
  /** @param deadline on the clock of `performance.now()`. */
  connected(deadline: number, opened: Opened): void;
  /** Runs one prepared statement on it. */
  execute(text: string, parameters: readonly Parameter[], deadline: number, done: Done): void;
  /** Cuts the connection; the next statement makes a new one. */
  cut(): void;
}

interface Waiting {
  readonly opened: Opened;
  readonly timer: NodeJS.Timeout;
}

/** A connection, or one that is being opened. */
interface Attempt {
  readonly socket: OwnedSocket;
  connection: WireConnection | null;
  isOpen: boolean;
  /** The callers that wait until it is open. */
  waiting: Waiting[];
}

export function createWireLink({ address, applicationName, settings, budgetMs }: WireLinkOptions): WireLink {
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

  function give(attempt: Attempt, error: DatabaseUnavailable | null): void {
    const { waiting, connection } = attempt;
    attempt.waiting = [];
    for (const one of waiting) {
      clearTimeout(one.timer);
      one.opened(error, error === null ? connection : null);
    }
  }

  function end(attempt: Attempt, error: DatabaseUnavailable): void {
    if (current === attempt) current = null;
    attempt.socket.destroy();
    give(attempt, error);
    attempt.connection?.destroy();
  }

  async function open(attempt: Attempt): Promise<void> {
    const socket = await attempt.socket.open();
    opened += 1;
    const connection = new WireConnection(socket, opened, isReading);
    attempt.connection = connection;
    connection.start(session, (error) => {
      if (error !== null) {
        end(attempt, unavailable(error));
        return;
      }
      attempt.isOpen = true;
      give(attempt, null);
    });
  }

  function begin(): Attempt {
    const attempt = { socket: createOwnedSocket(address, budgetMs), connection: null, isOpen: false, waiting: [] };
    open(attempt).catch((error: unknown) => end(attempt, unavailable(error)));
    return attempt;
  }

  function connected(deadline: number, then: Opened): void {
    const open = current?.isOpen === true ? current.connection : null;
    if (open?.isUsable) {
      then(null, open);
      return;
    }
    if (current === null || current.isOpen) current = begin();
    const attempt = current;
    const late = (): void => end(attempt, new DatabaseUnavailable('the database did not answer within the budget'));
    attempt.waiting.push({ opened: then, timer: setTimeout(late, Math.max(0, deadline - performance.now())) });
  }

  return {
    connected,
    execute(text, parameters, deadline, done) {
      connected(deadline, (error, connection) => {
        if (connection === null) done(error, []);
        else connection.execute(text, parameters, deadline, done);
      });
    },
    cut() {
      if (current !== null) end(current, new DatabaseUnavailable('the connection was given up'));
    },
  };
}
