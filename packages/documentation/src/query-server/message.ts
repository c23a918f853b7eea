/** Identifier of a request as JSON-RPC allows it; a number keeps its spelling where JavaScript would change it. */
export type RequestId = string | number | RawNumber;

/** The result of `JSON.rawJSON`: `JSON.stringify` writes it as it was read. */
interface RawNumber {
  readonly rawJSON: string;
}

/** One JSON-RPC 2.0 message, by what has to be answered to it. */
export type Message =
  | { readonly kind: 'request'; readonly id: RequestId; readonly method: string; readonly params: Params }
  /** A notification, or an answer to a request that this server never sends: neither gets an answer. */
  | { readonly kind: 'unanswered' }
  /** A JSON object that is no message. */
  | { readonly kind: 'invalid'; readonly id: RequestId | null };

export type Params = Readonly<Record<string, unknown>>;

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
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
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
