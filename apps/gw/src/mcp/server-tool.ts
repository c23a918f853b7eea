import { createHash } from 'node:crypto';
import { errorMessage } from '@gateway/contract/error-code';
import type { Tool } from '../agent/types.ts';
import type { Connection, ServerTool } from './connect.ts';
import type { ServerConfiguration, ServerState } from './types.ts';

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
export interface ToolServer {
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
      const text = textOf(answer.content, answer.structuredContent);
      return {
        outcome: answer.isError === true ? 'failed' : 'succeeded',
        content: limitText(text),
        ...(images.length === 0 ? {} : { images }),
      };
    },
  };
}

type Content = Awaited<ReturnType<Connection['client']['callTool']>>['content'];

function textOf(content: Content, structured: unknown): string {
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
    const { fitPicture } = await import('../pictures/picture.ts');
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
