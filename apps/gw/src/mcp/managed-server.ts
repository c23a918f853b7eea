import { errorMessage } from '@gateway/contract/error-code';
import type { Tool } from '../agent/types.ts';
import { type Connection, connect, type ToolList } from './connect.ts';
import { serverTools, type ToolServer } from './server-tool.ts';
import type { ServerSignIns } from './sign-in.ts';
import type { ServerConfiguration, ServerState } from './types.ts';

/** A server and its connection, which may end and be opened again. */
export interface ManagedServer extends ToolServer {
  /** Why it failed or ended, where that is known. */
  readonly reason: string | null;
  /** The tools that it named at its latest start, under its name. */
  readonly tools: readonly Tool[];
  /** Names of tools that were left out since the last call, because models take no such schema. */
  takeFaulty(): readonly string[];
  /** Resolves once a change of its tools that it announced has been read. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** @param directory where its process runs unless the configuration names another */
export function createManagedServer(
  configuration: ServerConfiguration,
  directory: string,
  signIns?: ServerSignIns,
): ManagedServer {
  let connection: Connection | null = null;
  let opening: Promise<Connection> | null = null;
  let state: ServerState = 'not started';
  let reason: string | null = null;
  let tools: readonly Tool[] = [];
  let ends = new AbortController();
  let faulty: readonly string[] = [];
  let refreshing: Promise<void> = Promise.resolve();

  async function start(): Promise<Connection> {
    try {
      const { signal } = ends;
      const closed = (): void => {
        if (connection !== opened) return;
        connection = null;
        if (!signal.aborted) [state, reason] = ['ended', 'The server ended.'];
      };
      const changed = (): void => {
        if (connection !== null) refreshing = refresh(connection);
      };
      const opened = await connect(configuration, directory, { closed, changed }, signal, signIns);
      connection = opened;
      take(opened.tools);
      [state, reason] = ['running', null];
      return opened;
    } catch (error) {
      [state, reason] = ['failed', errorMessage(error)];
      throw error;
    } finally {
      opening = null;
    }
  }

  const take = (list: ToolList): void => {
    tools = serverTools(server, list.tools);
    faulty = list.faulty;
  };
  async function refresh(of: Connection): Promise<void> {
    // The server may be busy, or gone: then its tools stay as they were.
    const list = await of.list().catch(() => null);
    if (list !== null && connection === of) take(list);
  }

  const server: ManagedServer = {
    configuration,
    takeFaulty() {
      const names = faulty;
      faulty = [];
      return names;
    },
    async settled() {
      await refreshing;
    },
    get state() {
      return state;
    },
    get reason() {
      return reason;
    },
    get tools() {
      return tools;
    },
    async open() {
      if (connection !== null) return connection;
      opening ??= start();
      return opening;
    },
    async close() {
      ends.abort(new Error('The session ends.'));
      await opening?.catch(() => undefined);
      await connection?.client.close().catch(() => undefined);
      connection = null;
      tools = [];
      state = 'not started';
      ends = new AbortController();
    },
  };
  return server;
}
