import { isIP } from 'node:net';
import { BRAND, type Refusal, refusal } from '@gateway/contract';
import type { IdentityCard } from './corpus/archive.ts';
import { answer, jsonAnswer, type PageAnswer, refuse } from './corpus/pages.ts';
import {
  FEWEST_PASSAGES,
  isTooLong,
  LONGEST_QUESTION,
  MOST_PASSAGES,
  type Search,
  USUAL_PASSAGES,
} from './search/search.ts';

/** The revision that carries its version and the caller's capabilities with every request. */
export const MODERN = '2026-07-28';

/** Revisions that begin with `initialize`, newest first. */
export const LEGACY = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

export const NEWEST_LEGACY = LEGACY[0];

function isLegacy(revision: string): boolean {
  return (LEGACY as readonly string[]).includes(revision);
}

/** All revisions that are served, newest first. */
export const SUPPORTED: readonly string[] = [MODERN, ...LEGACY];

const PREFIX = 'io.modelcontextprotocol/';
export const META = {
  version: `${PREFIX}protocolVersion`,
  capabilities: `${PREFIX}clientCapabilities`,
  server: `${PREFIX}serverInfo`,
} as const;

/** The one tool of the query server (documentation-11). */
const TOOL_NAME = 'search_documentation';

/** One passage of a result. */
const PASSAGE = {
  type: 'object',
  properties: {
    page: { type: 'string', description: 'Title of the page.' },
    section: { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'Heading of the passage.' },
    url: { type: 'string', description: 'Path of the page on this gateway.' },
    excerpt: { type: 'string', description: 'The passage, in Markdown.' },
    score: { type: 'number' },
    coverage: { type: 'number', description: 'Share of the question that the passage covers, 0 to 1.' },
  },
  required: ['page', 'section', 'url', 'excerpt', 'score', 'coverage'],
} as const;

/** How the tool describes itself, with the schemas of what it takes and gives. */
export const TOOL = {
  name: TOOL_NAME,
  title: 'Search the documentation',
  description:
    'Finds the passages of the installed product documentation that answer a question. No language model is involved: every passage is published text, given with its page, section and address on this gateway. When nothing covers the question, answered is false, results is empty, and nearest names the pages that come nearest.',
  inputSchema: {
    type: 'object',
    properties: {
      query: {
        type: 'string',
        minLength: 1,
        maxLength: LONGEST_QUESTION,
        description: 'The question, in words.',
      },
      limit: {
        type: 'integer',
        minimum: FEWEST_PASSAGES,
        maximum: MOST_PASSAGES,
        default: USUAL_PASSAGES,
        description: 'How many passages to give at most.',
      },
    },
    required: ['query'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: {
      version: { type: 'string', description: 'Version of the documentation.' },
      base: { type: 'string', description: 'Path prefix of the documentation on this gateway.' },
      query: { type: 'string' },
      terms: {
        type: 'array',
        items: { type: 'string' },
        description: 'The words that were searched for, as they were meant.',
      },
      answered: { type: 'boolean', description: 'Whether the documentation covers the question.' },
      results: {
        type: 'array',
        description: 'Passages, best first.',
        items: PASSAGE,
      },
      nearest: {
        type: 'array',
        description:
          'Where no page answers: the best passage of each of the nearest pages. They do not answer the question.',
        items: PASSAGE,
      },
      note: { type: 'string', description: 'Why there are no results, or which words were read otherwise than typed.' },
    },
    required: ['version', 'base', 'query', 'terms', 'answered', 'results'],
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
} as const;

/**
 * Calls the tool. Invalid arguments return a result with the error, which a model can read and correct; it would not see a
 * protocol error.
 */
export function callTool(search: Search, given: unknown): Record<string, unknown> {
  const read = readArguments(given ?? {});
  if ('fault' in read) return { content: [{ type: 'text', text: read.fault }], isError: true };
  const response = search(read.query, read.limit);
  return { content: [{ type: 'text', text: JSON.stringify(response) }], structuredContent: response };
}

function readArguments(given: unknown): { query: string; limit: number } | { fault: string } {
  if (!isObject(given)) return { fault: 'The arguments must be an object.' };
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(TOOL.inputSchema.properties, name));
  if (unknown !== undefined) return { fault: `There is no argument ${JSON.stringify(unknown.slice(0, 100))}.` };
  const query = Object.hasOwn(given, 'query') ? given['query'] : undefined;
  const limit = Object.hasOwn(given, 'limit') ? given['limit'] : USUAL_PASSAGES;
  if (typeof query !== 'string' || query.trim() === '' || isTooLong(query)) {
    return { fault: `query must be text of 1 to ${LONGEST_QUESTION} characters, not only blanks.` };
  }
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < FEWEST_PASSAGES || limit > MOST_PASSAGES) {
    return { fault: `limit must be a whole number from ${FEWEST_PASSAGES} to ${MOST_PASSAGES}.` };
  }
  return { query, limit };
}

/** What the methods answer from. */
export interface Served {
  readonly card: IdentityCard;
  readonly search: Search;
}

type Result = { readonly result: Readonly<Record<string, unknown>> } | { readonly error: ProtocolError };

/** How long (ms) a client may keep what only another installed archive changes. */
const KEPT = 5 * 60 * 1000;

const CAPABILITIES = { tools: {} } as const;

const INSTRUCTIONS =
  'Answers questions from the documentation installed on this gateway. Ask search_documentation in plain words and quote the passages it gives; it never makes anything up.';

/** Revisions up to 2025-11-25. */
export function legacyMethod(served: Served, method: string, params: Params): Result {
  switch (method) {
    case 'initialize': {
      const asked = params['protocolVersion'];
      return {
        result: {
          protocolVersion: typeof asked === 'string' && isLegacy(asked) ? asked : NEWEST_LEGACY,
          capabilities: CAPABILITIES,
          serverInfo: serverInfo(served),
          instructions: INSTRUCTIONS,
        },
      };
    }
    case 'ping':
      return { result: {} };
    case 'tools/list':
      return { result: { tools: [TOOL] } };
    case 'tools/call':
      return toolCall(served, params);
    default:
      return { error: methodNotFound(method) };
  }
}

/** Revision 2026-07-28: every result states that it is complete and names its server. */
export function modernMethod(served: Served, method: string, params: Params): Result {
  const answered = modernResult(served, method, params);
  if ('error' in answered) return answered;
  return { result: { resultType: 'complete', ...answered.result, _meta: { [META.server]: serverInfo(served) } } };
}

function modernResult(served: Served, method: string, params: Params): Result {
  const kept = { ttlMs: KEPT, cacheScope: 'public' };
  switch (method) {
    case 'server/discover':
      return {
        result: { supportedVersions: SUPPORTED, capabilities: CAPABILITIES, instructions: INSTRUCTIONS, ...kept },
      };
    case 'tools/list':
      return { result: { tools: [TOOL], ...kept } };
    case 'tools/call':
      return toolCall(served, params);
    default:
      return { error: methodNotFound(method) };
  }
}

function toolCall({ search }: Served, params: Params): Result {
  if (params['name'] === TOOL_NAME) return { result: callTool(search, params['arguments']) };
  return { error: invalidParams(`Unknown tool. This server has one: ${TOOL_NAME}.`, 200) };
}

function serverInfo({ card }: Served): Record<string, string> {
  return { name: `${BRAND}-documentation`, title: 'Documentation', version: card.version };
}

/** Headers that mirror the body, lower-case names. */
interface MirroredHeaders {
  readonly 'mcp-protocol-version'?: string | undefined;
  readonly 'mcp-method'?: string | undefined;
  readonly 'mcp-name'?: string | undefined;
}

/**
 * Whether a request announces a revision without `initialize`, in its header or in its metadata. An unknown version counts as
 * well: only such a revision has an answer for it.
 */
export function isModern(headers: MirroredHeaders, params: Params): boolean {
  const header = headers['mcp-protocol-version'];
  return metaOf(params)?.[META.version] !== undefined || (header !== undefined && !isLegacy(header));
}

/** What is wrong with the envelope of a modern request, in the order in which it is read; null when nothing is. */
export function envelopeFault(headers: MirroredHeaders, method: string, params: Params): ProtocolError | null {
  const meta = metaOf(params);
  const header = headers['mcp-protocol-version'];
  const version = meta?.[META.version];
  if (header === undefined) return headerMismatch('The header MCP-Protocol-Version is missing.');
  // A client of an earlier revision that announces its own, only in the header.
  if (version === undefined && header !== MODERN) return unsupportedVersion(header, SUPPORTED);
  if (typeof version !== 'string') return invalidParams(`_meta must carry ${META.version}, a string.`, 400);
  if (header !== version) {
    return headerMismatch(`The header MCP-Protocol-Version says ${quote(header)}, the body ${quote(version)}.`);
  }
  if (version !== MODERN) return unsupportedVersion(version, SUPPORTED);
  if (headers['mcp-method'] !== method) {
    return headerMismatch(`The header Mcp-Method says ${quote(headers['mcp-method'])}, the body ${quote(method)}.`);
  }
  if (!isObject(meta?.[META.capabilities])) {
    return invalidParams(`_meta must carry ${META.capabilities}, an object.`, 400);
  }
  return method === 'tools/call' ? nameFault(headers['mcp-name'], params['name']) : null;
}

function nameFault(header: string | undefined, name: unknown): ProtocolError | null {
  if (typeof name !== 'string') return invalidParams('params.name must be a string.', 400);
  return header !== undefined && decodeHeader(header) === name
    ? null
    : headerMismatch(`The header Mcp-Name says ${quote(header)}, the body ${quote(name)}.`);
}

/** A header value, decoded where it is written as `=?base64?…?=`; null where that is no UTF-8. */
function decodeHeader(value: string): string | null {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  if (encoded === undefined) return value;
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(encoded)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(encoded, 'base64'));
  } catch {
    return null;
  }
}

function metaOf(params: Params): Params | null {
  return isObject(params['_meta']) ? params['_meta'] : null;
}

function quote(value: string | undefined): string {
  return value === undefined ? 'nothing' : JSON.stringify(value.slice(0, 100));
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
 * Answers `/v/_mcp`: one JSON-RPC message, one JSON object back, nothing remembered (documentation-11).
 * Requests that announce the revision 2026-07-28 get its statuses, all others 200 for protocol errors.
 * @param served null where the archive carries no corpus
 */
export async function answerQuery(served: Served | null, { method, headers, body }: QueryRequest): Promise<PageAnswer> {
  if (method !== 'POST') return refuse(refusal('query-server-post-only', { headers: { allow: 'POST' } }));
  if (!isOwnOrigin(headers['origin'], headers['host'])) return refuse(refusal('query-server-origin'));
  if (served === null) return refuse(refusal('search-corpus-absent'));
  const read = await body(LONGEST_MESSAGE);
  if ('code' in read) return refuse(read);
  const message = parseMessage(read);
  if (message === null) return refuse(refusal('query-server-body'));
  return answerMessage(served, headers, message);
}

function answerMessage(served: Served, headers: QueryRequest['headers'], message: Message): PageAnswer {
  if (message.kind === 'unanswered') return answer(202, {}, Buffer.alloc(0));
  if (message.kind === 'invalid') return refuseMessage(message.id, invalidRequest, isModern(headers, {}));
  const { id, method, params } = message;
  const modern = isModern(headers, params);
  const fault = modern ? envelopeFault(headers, method, params) : null;
  if (fault !== null) return refuseMessage(id, fault, modern);
  const answered = modern ? modernMethod(served, method, params) : legacyMethod(served, method, params);
  if ('error' in answered) return refuseMessage(id, answered.error, modern);
  return jsonAnswer(200, { jsonrpc: '2.0', id, result: answered.result });
}

function refuseMessage(id: RequestId | null, error: ProtocolError, modern: boolean): PageAnswer {
  return jsonAnswer(modern ? error.status : 200, errorResponse(id, error));
}

/** A JSON-RPC error, with its HTTP status in the revision 2026-07-28; earlier ones use 200. */
interface ProtocolError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
  readonly status: number;
}

const invalidRequest: ProtocolError = {
  code: -32600,
  message: 'This is not a JSON-RPC 2.0 request.',
  status: 400,
};

function methodNotFound(method: string): ProtocolError {
  return { code: -32601, message: `This server has no method ${JSON.stringify(method)}.`, status: 404 };
}

/** Something about the parameters; a malformed request is 400, what only the tool can judge is 200. */
function invalidParams(message: string, status: 200 | 400): ProtocolError {
  return { code: -32602, message, status };
}

function headerMismatch(message: string): ProtocolError {
  return { code: -32020, message, status: 400 };
}

function unsupportedVersion(requested: string, supported: readonly string[]): ProtocolError {
  return {
    code: -32022,
    message: 'This server does not implement the requested protocol version.',
    data: { supported, requested },
    status: 400,
  };
}

/** The error in the form that is sent. */
function errorResponse(id: RequestId | null, { code, message, data }: ProtocolError): unknown {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } };
}

/** Identifier of a request as JSON-RPC allows it; a number keeps its spelling where JavaScript would change it. */
type RequestId = string | number | RawNumber;

/** The result of `JSON.rawJSON`: `JSON.stringify` writes it as it was read. */
interface RawNumber {
  readonly rawJSON: string;
}

/** One JSON-RPC 2.0 message, by what has to be answered to it. */
type Message =
  | { readonly kind: 'request'; readonly id: RequestId; readonly method: string; readonly params: Params }
  /** A notification, or an answer to a request that this server never sends: neither gets an answer. */
  | { readonly kind: 'unanswered' }
  /** A JSON object that is no message. */
  | { readonly kind: 'invalid'; readonly id: RequestId | null };

type Params = Readonly<Record<string, unknown>>;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads the body of a request; null for one that is not a single JSON object in UTF-8 (RFC 8259 §8.1). */
export function parseMessage(bytes: Uint8Array): Message | null {
  let body: string;
  let value: unknown;
  try {
    body = utf8.decode(bytes);
    value = JSON.parse(body);
  } catch {
    return null;
  }
  if (!isObject(value)) return null;
  const id = idOf(value['id'], body);
  const { jsonrpc, method, params } = value;
  if (jsonrpc === '2.0' && typeof method === 'string') {
    if (!Object.hasOwn(value, 'id')) return { kind: 'unanswered' };
    if (id !== null && (params === undefined || isObject(params))) {
      return { kind: 'request', id, method, params: params ?? {} };
    }
  }
  if (jsonrpc === '2.0' && method === undefined && (Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error'))) {
    return { kind: 'unanswered' };
  }
  return { kind: 'invalid', id };
}

/** Whether a value is a JSON object, and neither null nor a list. */
function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function idOf(id: unknown, body: string): RequestId | null {
  if (typeof id === 'string') return id;
  if (typeof id !== 'number') return null;
  return Number.isSafeInteger(id) ? id : rawNumber(body);
}

/** Braces, brackets, colons, strings and bare words of a JSON text. */
const TOKEN = /[{}[\]:]|"[^"\\]*(?:\\.[^"\\]*)*"|[^\s{}[\]:,"]+/g;

/**
 * Reads the body again for the spelling of a number that JavaScript cannot represent exactly. A `JSON.parse` reviver would
 * receive it, too, but overflows the stack for a deeply nested body, while the parser does not.
 */
function rawNumber(body: string): RequestId {
  let spelling = '0';
  let depth = 0;
  let before = '';
  let ofId = false;
  for (const [token] of body.matchAll(TOKEN)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (depth === 1 && token === ':') ofId = JSON.parse(before) === 'id';
    // The last member of the name is the one that counts.
    else if (depth === 1 && before === ':' && ofId) spelling = token;
    before = token;
  }
  return rawJson(spelling);
}

/** `JSON.rawJSON` (Node.js 22 and newer), which TypeScript's library does not describe yet. */
function rawJson(text: string): RawNumber {
  return (JSON as unknown as { rawJSON: (text: string) => RawNumber }).rawJSON(text);
}
