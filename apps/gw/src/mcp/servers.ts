import { setTimeout as pause } from 'node:timers/promises';
import { errorMessage } from '@gateway/contract/error-code';
import type { ServerStatus, Tool } from '../agent/types.ts';
import { createManagedServer, type ManagedServer } from './managed-server.ts';
import type { ServerSignIns } from './sign-in.ts';
import type { ServerConfiguration } from './types.ts';

/** Milliseconds that a turn waits for servers that failed before and are tried again. */
const RETRY_WAIT_MS = 1500;

/** The servers of a session and its sub-agents. */
export interface Servers {
  /**
   * Before a turn: starts them on the first call, and tries those again that failed. Resolves with a line for each one
   * that failed, or runs again, since the last call.
   */
  start(): Promise<readonly string[]>;
  tools(): readonly Tool[];
  /** Resolves once changes of tools that servers announced have been read. */
  settled(): Promise<void>;
  list(): readonly ServerStatus[];
  /** Ends them all. */
  close(): Promise<void>;
}

/**
 * @param configured asked at the first start: what the person agrees to before the first message counts
 * @param directory where servers run whose configuration names no other
 */
export function createServers(
  configured: () => readonly ServerConfiguration[],
  directory: string,
  signIns?: ServerSignIns,
): Servers {
  const managed = (): readonly ManagedServer[] =>
    configured().map((each) => createManagedServer(each, directory, signIns));
  let servers: readonly ManagedServer[] | null = null;
  const lines: string[] = [];
  let started: Promise<void> | undefined;

  async function first(server: ManagedServer): Promise<void> {
    try {
      await server.open();
    } catch (error) {
      lines.push(failure(server, error));
    }
  }

  async function again(server: ManagedServer): Promise<void> {
    const before = server.reason;
    try {
      await server.open();
      lines.push(`The MCP server ${server.configuration.name} runs now.`);
    } catch (error) {
      if (server.reason !== before) lines.push(failure(server, error));
    }
  }

  return {
    async start() {
      if (started === undefined) {
        servers ??= managed();
        started = Promise.all(servers.map(first)).then(() => undefined);
        await started;
      } else {
        await started;
        const failed = (servers ?? []).filter(({ state }) => state === 'failed');
        const retries = Promise.all(failed.map(again));
        if (failed.length > 0) await Promise.race([retries, pause(RETRY_WAIT_MS)]);
      }
      for (const server of servers ?? [])
        for (const name of server.takeFaulty())
          lines.push(
            `The tool ${name} of the MCP server ${server.configuration.name} is left out: its schema is not valid.`,
          );
      return lines.splice(0);
    },
    async settled() {
      await Promise.all((servers ?? []).map((server) => server.settled()));
    },
    tools() {
      const tools = new Map<string, Tool>();
      for (const tool of (servers ?? []).flatMap((server) => server.tools))
        if (!tools.has(tool.name)) tools.set(tool.name, tool);
      return [...tools.values()];
    },
    list: () =>
      (servers ?? managed()).map(({ configuration, state, reason, tools }) => ({
        name: configuration.name,
        how: howOf(configuration),
        ofProject: configuration.ofProject,
        state,
        reason,
        tools: tools.map(({ name }) => name),
      })),
    async close() {
      await Promise.all((servers ?? []).map((server) => server.close()));
      started = undefined;
    },
  };
}

function failure({ configuration }: ManagedServer, error: unknown): string {
  const where = configuration.url === undefined ? '' : ` (${configuration.url})`;
  const why = errorMessage(error);
  return `The MCP server ${configuration.name}${where} failed and its tools are missing: ${why}`;
}

/** The command line of a server, or its address: what a person decides about. */
export function howOf({ command, args = [], url }: ServerConfiguration): string {
  return url ?? [command ?? '', ...args].join(' ');
}
