import { type Refusal, refusal } from '@gateway/contract';
import { type Answer, answer, jsonAnswer, refuse } from '../pages/answer.ts';
import { errorResponse, invalidRequest, type ProtocolError } from './errors.ts';
import { type Message, parseMessage, type RequestId } from './message.ts';
import { legacyMethod, modernMethod, type Served } from './methods.ts';
import { envelopeFault, isModern } from './modern.ts';
import { isOwnOrigin } from './origin.ts';

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
export async function answerQuery(served: Served | null, { method, headers, body }: QueryRequest): Promise<Answer> {
  if (method !== 'POST') return refuse(refusal('query-server-post-only', { headers: { allow: 'POST' } }));
  if (!isOwnOrigin(headers['origin'], headers['host'])) return refuse(refusal('query-server-origin'));
  if (served === null) return refuse(refusal('search-corpus-absent'));
  const read = await body(LONGEST_MESSAGE);
  if ('code' in read) return refuse(read);
  const message = parseMessage(read);
  if (message === null) return refuse(refusal('query-server-body'));
  return answerMessage(served, headers, message);
}

function answerMessage(served: Served, headers: QueryRequest['headers'], message: Message): Answer {
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

function refuseMessage(id: RequestId | null, error: ProtocolError, modern: boolean): Answer {
  return jsonAnswer(modern ? error.status : 200, errorResponse(id, error));
}
