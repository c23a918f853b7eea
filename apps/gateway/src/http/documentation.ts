import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { errorCode, refusal } from '@gateway/contract';
import { type Documentation, openPart, type PageAnswer, refuse } from '@gateway/documentation';
import type { Report } from '../process/report.ts';
import { type BodyBudget, readBody, type WholeBody } from './body.ts';
import type { Head } from './head.ts';
import { discardRest, endAnswer } from './linger.ts';
import type { Handler } from './routes.ts';

/** The caller disconnected before its body had arrived: no answer is possible. */
class CallerLeft extends Error {}

/**
 * Serves every address whose first segment is `v` (documentation-1). Proofs of identity are ignored, and a body is read only for
 * the query server.
 * @param bodies budget for the messages to the query server, whose callers prove nothing
 * @param report called with one line about an answer that could not be made
 */
export function createDocumentationHandler(documentation: Documentation, bodies: BodyBudget, report: Report): Handler {
  return (request, response, head) => {
    serve(documentation, bodies, request, response, head).catch((error: unknown) => {
      if (error instanceof CallerLeft) return;
      report(
        `The documentation could not answer ${request.method ?? ''} ${request.url ?? ''}: ${String(error)}`,
        'error',
      );
      response.destroy();
    });
  };
}

async function serve(
  documentation: Documentation,
  bodies: BodyBudget,
  request: IncomingMessage,
  response: ServerResponse,
  head: Head,
): Promise<void> {
  let held: WholeBody | null = null;
  const answer = await documentation.answer({
    method: request.method ?? 'GET',
    target: request.url ?? '',
    headers: headersOf(request),
    body: async (most) => {
      const body = await readBody(request, response, head, { most, budget: bodies });
      if (body === null) throw new CallerLeft();
      if ('code' in body) return body;
      held = body;
      return body.bytes;
    },
  });
  (held as WholeBody | null)?.release();
  discardRest(request);
  await send(response, answer, request.method === 'HEAD');
}

/** Node.js gives a list for `set-cookie` alone, which no request carries with a meaning. */
function headersOf({ headers }: IncomingMessage): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}

/** The error when a caller leaves in the middle: no fault of ours. */
const CALLER_LEFT = new Set([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_UNABLE_TO_PIPE',
  'ERR_STREAM_DESTROYED',
  'ECONNRESET',
  'EPIPE',
]);

async function send(response: ServerResponse, answer: PageAnswer, headOnly: boolean): Promise<void> {
  const { status, headers, body } = answer;
  if (headOnly || body === null || Buffer.isBuffer(body)) {
    response.writeHead(status, headers);
    if (Buffer.isBuffer(body) && !headOnly) endAnswer(response, body);
    else response.end();
    return;
  }
  const part = await openPart(body);
  if (part === null) {
    await send(response, refuse(refusal('documentation-changing')), headOnly);
    return;
  }
  response.writeHead(status, headers);
  try {
    await pipeline(part, response);
  } catch (error) {
    part.destroy(); // a caller that leaves before the first byte does not close it
    if (!CALLER_LEFT.has(errorCode(error))) throw error;
  }
}
