import { errorCode } from '@gateway/contract/error-code';
import type { Client } from '@modelcontextprotocol/client';
import type { Json } from '../agent/types/index.ts';
import * as s from '../schema/index.ts';
import type { ServerSignIns } from './sign-in.ts';
import { processTransport, remoteTransport, type ServerConfiguration } from './transport.ts';

/** Milliseconds that a server may take to start and to name its tools. */
const START_MS = 10_000;
/** A server may name its tools in pages without end. */
const MOST_PAGES = 100;
/** Characters of what a server said on standard error that are shown where it fails. */
const LAST_WORDS = 300;

export interface ServerTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: {
    readonly type: 'object';
    readonly properties?: Readonly<Record<string, Json>> | undefined;
    readonly required?: readonly string[] | undefined;
  };
  readonly annotations?: { readonly readOnlyHint?: boolean | null | undefined } | null | undefined;
}
export interface ToolList {
  readonly tools: readonly ServerTool[];
  /** Names of tools whose description or schema is none that models take. */
  readonly faulty: readonly string[];
}
export interface Connection {
  readonly client: Client;
  readonly tools: ToolList;
  /** Asks for the tools again. */
  list(): Promise<ToolList>;
}

const text = s.string();
const toolShape: s.Schema<ServerTool> = s.object({
  name: s.string({ min: 1 }),
  title: text.optional(),
  description: text.optional(),
  inputSchema: s.object({
    type: s.literal('object'),
    properties: s
      .record(
        s
          .unknown()
          .refine((value) => typeof value === 'object' && value !== null && !Array.isArray(value)) as s.Schema<Json>,
      )
      .optional(),
    required: s.array(text).optional(),
  }),
  annotations: s.object({ readOnlyHint: s.boolean().orNull() }).orNull(),
});
/** The library refuses a whole list for one tool that it does not take. */
const pageShape = s.object({ tools: s.array(s.unknown()), nextCursor: text.orNull() });
const UNCHECKED = {
  '~standard': { version: 1, vendor: 'gw', validate: (value: unknown) => ({ value }) },
} as const;

async function listTools(client: Client): Promise<ToolList> {
  const tools: ServerTool[] = [];
  const faulty: string[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages === 0 || (cursor !== null && pages < MOST_PAGES && tools.length < 1000); pages += 1) {
    const request = { method: 'tools/list', params: cursor === null ? {} : { cursor } };
    const page = pageShape.valueOf(await client.request(request, UNCHECKED, { timeout: START_MS }));
    if (page === null) throw new Error('it sent no list of tools');
    for (const one of page.tools) {
      const tool = toolShape.valueOf(one);
      if (tool === null)
        faulty.push(JSON.stringify((one as { readonly name?: unknown } | null)?.name ?? null).slice(0, 100));
      else tools.push(tool);
    }
    cursor = page.nextCursor;
  }
  return { tools, faulty };
}

/**
 * Starts a server, or connects to one, and asks for its tools. A process gets only harmless variables and those that its
 * `env` names: no key of the gateway or of a model.
 * @param closed called when the connection ends, whichever side ends it; `changed` when the server has other tools
 * @param signal gives up the start
 * @throws Error saying why it failed
 */
export async function connect(
  server: ServerConfiguration,
  directory: string,
  { closed, changed }: { readonly closed: () => void; readonly changed: () => void },
  signal: AbortSignal,
  signIns?: ServerSignIns,
): Promise<Connection> {
  const { Client: SdkClient } = await import('@modelcontextprotocol/client');
  const client = new SdkClient(
    { name: 'gw', version: '1' },
    { listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: changed } } },
  );
  let errorOutput = '';
  try {
    const transport = await transportOf(server, directory, signIns, (text) => {
      errorOutput = (errorOutput + text).slice(-LAST_WORDS);
    });
    await within(client.connect(transport, { timeout: START_MS }), signal);
    const list = (): Promise<ToolList> => within(listTools(client), signal);
    const tools = await list();
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the library has no events
    client.onclose = closed;
    return { client, tools, list };
  } catch (error) {
    await client.close().catch(() => undefined);
    const why =
      errorCode(error) === 'ENOENT' && server.command !== undefined
        ? `there is no program ${server.command}. Install it, or correct command or cwd in the configuration`
        : error instanceof Error
          ? error.message
          : String(error);
    throw new Error(errorOutput.trim() === '' ? why : `${why}; it said: ${errorOutput.trim()}`, { cause: error });
  }
}

async function transportOf(
  server: ServerConfiguration,
  directory: string,
  signIns: ServerSignIns | undefined,
  heard: (text: string) => void,
) {
  const { url, headers = {} } = server;
  if (url === undefined) return processTransport(server, directory, heard);
  const isSignedIn = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  if (signIns === undefined || isSignedIn) return remoteTransport({ ...server, url });
  const { signedInProvider } = await import('./sign-in.ts');
  return remoteTransport({ ...server, url }, signedInProvider(server, signIns));
}

async function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const over = Promise.withResolvers<never>();
  const timeout = setTimeout(() => over.reject(new Error(`no answer within ${START_MS / 1000} seconds`)), START_MS);
  const abort = (): void => over.reject(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    signal.throwIfAborted();
    return await Promise.race([work, over.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
    clearTimeout(timeout);
  }
}
