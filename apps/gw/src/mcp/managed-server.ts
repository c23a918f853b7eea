import { errorMessage } from '@gateway/contract/error-code';
import type { Tool } from '../agent/types.ts';
import { type Connection, connect } from './connect.ts';
import { serverTools, type ToolServer } from './server-tool.ts';
import type { ServerConfiguration, ServerState } from './types.ts';

/** A server and its connection, which may end and be opened again. */
export interface ManagedServer extends ToolServer {
  /** Why it failed or ended, where that is known. */
  readonly reason: string | null;
  /** The tools that it named at its latest start, under its name. */
  readonly tools: readonly Tool[];
  close(): Promise<void>;
}

/** @param directory where its process runs unless the configuration names another */
export function createManagedServer(configuration: ServerConfiguration, directory: string): ManagedServer {
  let connection: Connection | null = null;
  let opening: Promise<Connection> | null = null;
  let state: ServerState = 'not started';
  let reason: string | null = null;
  let tools: readonly Tool[] = [];
  let ends = new AbortController();

  async function start(): Promise<Connection> {
    try {
      const { signal } = ends;
      const closed = (): void => {
        if (connection !== opened) return;
        connection = null;
        if (!signal.aborted) [state, reason] = ['ended', 'The server ended.'];
      };
      const opened = await connect(configuration, directory, closed, signal);
      connection = opened;
      tools = serverTools(server, opened.tools);
      [state, reason] = ['running', null];
      return opened;
    } catch (error) {
      [state, reason] = ['failed', errorMessage(error)];
      throw error;
    } finally {
      opening = null;
    }
  }

  const server: ManagedServer = {
    configuration,
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
