import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { errorMessage } from '@gateway/contract/error-code';
import type { ServerStatus, Tool } from '../agent/types/index.ts';
import { type Environment, pathFrom } from '../process/environment.ts';
import { WrongUsage } from '../process/fault.ts';
import { readUserFile } from '../trust/sources.ts';
import { type Connection, connect, type ServerTool, type ToolList } from './connect.ts';
import type { ServerSignIns } from './sign-in.ts';
import type { ServerConfiguration, ServerState } from './transport.ts';

/** Milliseconds that one call may take. */
const CALL_MS = 10 * 60_000;
/** Characters of a result. */
const MOST_CHARACTERS = 60_000;
/** Parts of a result that are looked at for pictures. */
const MOST_PICTURES = 50;
/** Allowed characters and length of tool names. */
const NAME_CHARACTERS = /[^A-Za-z0-9_-]/g;
const LONGEST_NAME = 64;

/** A long name ends with a digest: the names of two tools may differ only behind what fits. */
export function toolName(server: string, tool: string): string {
  const name = `mcp__${server}__${tool}`.replaceAll(NAME_CHARACTERS, '_');
  return name.length <= LONGEST_NAME ? name : withDigest(server, tool);
}

/** The same for a name that another tool has, too. */
function withDigest(server: string, tool: string): string {
  const whole = `mcp__${server}__${tool}`;
  const digest = createHash('sha256').update(whole).digest('hex').slice(0, 8);
  return `${whole.replaceAll(NAME_CHARACTERS, '_').slice(0, LONGEST_NAME - 1 - digest.length)}_${digest}`;
}

/** The server of a tool, whose connection may end and be opened again. */
interface ToolServer {
  readonly configuration: ServerConfiguration;
  readonly state: ServerState;
  open(): Promise<Connection>;
}

/** The tools of a server. Tools whose names models would take for one have a digest in their names. */
export function serverTools(managed: ToolServer, tools: readonly ServerTool[]): readonly Tool[] {
  const server = managed.configuration.name;
  const names = tools.map(({ name }) => toolName(server, name));
  return tools.map((tool, at) => {
    const isShared = names.some((name, other) => other !== at && name === names[at]);
    return serverTool(managed, tool, isShared ? withDigest(server, tool.name) : names[at]);
  });
}

/** A tool of a server, under the server's name. It counts as changing things unless the server says that it only reads. */
export function serverTool(
  managed: ToolServer,
  tool: ServerTool,
  name = toolName(managed.configuration.name, tool.name),
): Tool {
  const server = managed.configuration;
  const { properties, required } = tool.inputSchema;
  return {
    name,
    description: (tool.description ?? tool.title ?? tool.name).slice(0, 4000),
    parameters: {
      type: 'object',
      properties: properties ?? {},
      ...(required === undefined ? {} : { required }),
    },
    effect: tool.annotations?.readOnlyHint === true ? 'network' : 'execute',
    parse: (raw) =>
      typeof raw === 'object' && raw !== null && !Array.isArray(raw)
        ? { ok: true, args: raw }
        : { ok: false, message: `${name} was not run. Its arguments are one JSON object.` },
    target: () =>
      server.url === undefined
        ? { kind: 'command', value: name }
        : { kind: 'host', value: URL.parse(server.url)?.host ?? server.url },
    preview: async (args) => ({ kind: 'text', text: JSON.stringify(args, null, 2) }),
    async run(args, context) {
      const { signal } = context;
      const restart = managed.state === 'ended';
      const { client } = await managed.open().catch((error: unknown) => {
        throw new Error(`The MCP server ${server.name} ended and could not be started again: ${errorMessage(error)}`);
      });
      if (restart) context.warn(`The MCP server ${server.name} had ended and was started again.`);
      const call = { name: tool.name, arguments: args as Record<string, unknown> };
      const answer = await client.callTool(call, { signal, timeout: CALL_MS }).catch(async (error: unknown) => {
        signal.throwIfAborted();
        // An address may have forgotten the connection; the next call opens another one.
        if (server.url !== undefined) await client.close().catch(() => undefined);
        const why = errorMessage(error);
        throw new Error(
          `The MCP server ${server.name} did not answer the call: ${why}. The next call starts it again.`,
        );
      });
      const images = await imagesOf(answer.content);
      const text = contentText(answer.content, answer.structuredContent);
      return {
        outcome: answer.isError === true ? 'failed' : 'succeeded',
        content: limitText(text),
        ...(images.length === 0 ? {} : { images }),
      };
    },
  };
}

type Content = Awaited<ReturnType<Connection['client']['callTool']>>['content'];

function contentText(content: Content, structured: unknown): string {
  const parts = content.map((part) => {
    if (part.type === 'text') return part.text;
    if (part.type === 'resource' && 'text' in part.resource) return part.resource.text;
    if (part.type === 'resource_link') return part.uri;
    if (part.type === 'image') return '[image]';
    return `[${part.type}: not shown]`;
  });
  if (parts.length === 0 && structured !== undefined) return JSON.stringify(structured);
  return parts.length === 0 ? '(no content)' : parts.join('\n');
}

/** Pictures that engines take, shrunk where they are too large. */
async function imagesOf(content: Content): Promise<readonly string[]> {
  const images: string[] = [];
  for (const part of content.slice(0, MOST_PICTURES)) {
    if (part.type !== 'image') continue;
    const { fitPicture } = await import('../files/picture.ts');
    const picture = await fitPicture(Buffer.from(part.data, 'base64'));
    if (!('fault' in picture)) images.push(picture.url);
  }
  return images;
}

function limitText(text: string): string {
  const left = text.length - MOST_CHARACTERS;
  return left <= 0
    ? text
    : `${text.slice(0, MOST_CHARACTERS).toWellFormed()}\n[${left} more characters were left out: ask the server for less]`;
}

/** A server and its connection, which may end and be opened again. */
interface ManagedServer extends ToolServer {
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

/** The servers that `--mcp` names: an http(s) address, or a configuration file with `mcpServers`. */
export async function findNamedServers(
  environment: Environment,
  words: readonly string[],
): Promise<readonly ServerConfiguration[]> {
  const found = await Promise.all(words.map((word) => serversOf(environment, word)));
  return found.flat();
}

async function serversOf(environment: Environment, word: string): Promise<readonly ServerConfiguration[]> {
  const url = URL.parse(word);
  if (url !== null && /^https?:$/.test(url.protocol)) return [{ name: url.host, url: word, ofProject: false }];
  const isFile = await stat(pathFrom(environment, word)).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isFile) {
    throw new WrongUsage(
      `--mcp ${word}: no such file, and names do not resolve because there is no registry. Give a YAML file with mcpServers, or an http(s) address.`,
    );
  }
  const { value } = await readUserFile(environment, word, true, '--mcp');
  return (value.mcpServers ?? []).map((server) => ({ ...server, ofProject: false }));
}
