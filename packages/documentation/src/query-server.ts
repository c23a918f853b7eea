import { isIP } from 'node:net';
import { BRAND, type Refusal, refusal } from '@gateway/contract';
import {
  createMcpHandler,
  isJSONRPCRequest,
  isLegacyRequest,
  McpServer,
  ProtocolErrorCode,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { IdentityCard } from './corpus/archive.ts';
import { answer, type PageAnswer, refuse } from './corpus/pages.ts';
import {
  FEWEST_PASSAGES,
  isTooLong,
  LONGEST_QUESTION,
  MOST_PASSAGES,
  type Search,
  USUAL_PASSAGES,
} from './search/search.ts';

const PASSAGE = z.object({
  page: z.string().describe('Title of the page.'),
  // Described alternatives stay apart in the JSON schema: some clients refuse a list of types.
  section: z.union([
    z.string().describe('Heading of the passage.'),
    z.null().describe('The passage is before the first heading.'),
  ]),
  url: z.string().describe('Path of the page on this gateway.'),
  excerpt: z.string().describe('The passage, in Markdown.'),
  score: z.number(),
  coverage: z.number().describe('Share of the question that the passage covers, 0 to 1.'),
});

/** How the tool describes itself, with the schemas of what it takes and gives (documentation-11). */
const TOOL = {
  title: 'Search the documentation',
  description:
    'Finds the passages of the installed product documentation that answer a question. No language model is involved: every passage is published text, given with its page, section and address on this gateway. When nothing covers the question, answered is false, results is empty, and nearest names the pages that come nearest.',
  inputSchema: z.strictObject({
    query: z
      .string()
      .refine((query) => query.trim() !== '' && !isTooLong(query), {
        error: `must be text of 1 to ${LONGEST_QUESTION} characters, not only blanks`,
      })
      .meta({ minLength: 1, maxLength: LONGEST_QUESTION, description: 'The question, in words.' }),
    limit: z
      .int()
      .min(FEWEST_PASSAGES)
      .max(MOST_PASSAGES)
      .default(USUAL_PASSAGES)
      .describe('How many passages to give at most.'),
  }),
  outputSchema: z.object({
    version: z.string().describe('Version of the documentation.'),
    base: z.string().describe('Path prefix of the documentation on this gateway.'),
    query: z.string(),
    terms: z.array(z.string()).describe('The words that were searched for, as they were meant.'),
    answered: z.boolean().describe('Whether the documentation covers the question.'),
    results: z.array(PASSAGE).describe('Passages, best first.'),
    nearest: z
      .array(PASSAGE)
      .optional()
      .describe(
        'Where no page answers: the best passage of each of the nearest pages. They do not answer the question.',
      ),
    note: z.string().optional().describe('Why there are no results, or which words were read otherwise than typed.'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
};

/** What the tool answers from. */
export interface Served {
  readonly card: IdentityCard;
  readonly search: Search;
}

/** How long a client may keep what only another installed archive changes. */
const CACHE_HINT = { ttlMs: 5 * 60 * 1000, cacheScope: 'public' } as const;

const INSTRUCTIONS =
  'Answers questions from the documentation installed on this gateway. Ask search_documentation in plain words and quote the passages it gives; it never makes anything up.';

/** A server for one request: nothing is remembered (documentation-11). */
function createServer({ card, search }: Served): McpServer {
  const server = new McpServer(
    { name: `${BRAND}-documentation`, title: 'Documentation', version: card.version },
    {
      capabilities: { tools: { listChanged: false } },
      instructions: INSTRUCTIONS,
      cacheHints: { 'server/discover': CACHE_HINT, 'tools/list': CACHE_HINT },
    },
  );
  server.registerTool('search_documentation', TOOL, ({ query, limit }) => {
    const response = search(query, limit);
    return { content: [{ type: 'text', text: JSON.stringify(response) }], structuredContent: { ...response } };
  });
  return server;
}

/**
 * Whether a page of this origin may call. A request without `Origin` comes from no page. A page of this gateway itself may call,
 * but the browser's `Host` is the name in its address bar, and the owner of any name can point it here (DNS rebinding). So over
 * plain HTTP only names without an owner are trusted: addresses and localhost. Over HTTPS the certificate has proven the name.
 */
export function isOwnOrigin(origin: string | undefined, host: string | undefined): boolean {
  if (origin === undefined) return true;
  const parsed = URL.parse(origin);
  if (parsed === null || parsed.origin !== origin || host === undefined) return false;
  // The port that a scheme implies is left out of both, or of one.
  if (parsed.host !== URL.parse(`${parsed.protocol}//${host}`)?.host) return false;
  return parsed.protocol === 'https:' || isUnownable(parsed.hostname);
}

function isUnownable(hostname: string): boolean {
  const name = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost');
}

/** Maximum bytes of a message (limits-4): a question of 1,000 characters fits ten times, with any escaping. */
const LONGEST_MESSAGE = 64 * 1024;

interface QueryRequest {
  readonly method: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: (most: number) => Promise<Buffer | Refusal>;
}

/**
 * Answers `/v/_mcp`: one JSON-RPC message, one JSON object back (documentation-11).
 * @param served null where the archive carries no corpus
 */
export async function answerQuery(served: Served | null, { method, headers, body }: QueryRequest): Promise<PageAnswer> {
  if (method !== 'POST') return refuse(refusal('query-server-post-only', { headers: { allow: 'POST' } }));
  if (!isOwnOrigin(headers['origin'], headers['host'])) return refuse(refusal('query-server-origin'));
  if (served === null) return refuse(refusal('search-corpus-absent'));
  const read = await body(LONGEST_MESSAGE);
  if ('code' in read) return refuse(read);
  const message = parseObject(read);
  if (message === null) return refuse(refusal('query-server-body'));
  const request = requestOf(headers);
  const { watched, fault } = withFault(served);
  const response = (await isLegacyRequest(request, message))
    ? await answerLegacy(watched, request, message)
    : await answerModern(watched, request, message);
  if (fault() !== null) throw fault();
  const content = Buffer.from(await response.arrayBuffer());
  const described = { 'content-type': 'application/json', 'cache-control': 'no-cache' };
  return answer(response.status, content.length === 0 ? {} : described, content);
}

/** Keeps a fault of the search: the SDK would tell it to the caller, and to nobody else. */
function withFault(served: Served): { readonly watched: Served; readonly fault: () => Error | null } {
  let fault: Error | null = null;
  const search: Search = (question, limit) => {
    try {
      return served.search(question, limit);
    } catch (error) {
      fault = error as Error;
      throw error;
    }
  };
  return { watched: { ...served, search }, fault: () => fault };
}

/** Headers that mirror the body since revision 2026-07-28; no other header reaches the server. */
const MIRRORED = ['mcp-protocol-version', 'mcp-method', 'mcp-name'];

function requestOf(headers: QueryRequest['headers']): Request {
  const mirrored = MIRRORED.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]] as const]));
  // Both types are what the server requires; clients that send others are answered in JSON, too.
  const types = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
  return new Request('http://gateway.invalid/v/_mcp', {
    method: 'POST',
    headers: { ...types, ...Object.fromEntries(mirrored) },
  });
}

/** Revisions that begin with `initialize`. The SDK's own handler would answer them with an event stream. */
async function answerLegacy(served: Served, request: Request, parsedBody: unknown): Promise<Response> {
  const server = createServer(served);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const response = await transport.handleRequest(request, { parsedBody });
  await server.close();
  return response;
}

/** Revisions that carry their version and the caller's capabilities with every request. */
async function answerModern(served: Served, request: Request, parsedBody: unknown): Promise<Response> {
  if (isJSONRPCRequest(parsedBody) && parsedBody.method === 'subscriptions/listen') {
    // The handler would open an event stream, and there is nothing to subscribe to.
    const error = { code: ProtocolErrorCode.MethodNotFound, message: 'Method not found' };
    return Response.json({ jsonrpc: '2.0', id: parsedBody.id, error }, { status: 404 });
  }
  return createMcpHandler(() => createServer(served), { legacy: 'reject' }).fetch(request, { parsedBody });
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads the body of a request; null for one that is not a single JSON object in UTF-8 (RFC 8259 §8.1). */
function parseObject(bytes: Uint8Array): object | null {
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
