import { channel } from 'node:diagnostics_channel';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import { envelopeOf, type Refusal, statusOf } from '@gateway/contract';
import { endAnswer } from './linger.ts';

/** The one place that turns a refusal into an answer: `{error, …}` with its status and headers (refusals-1). */
export function answerRefusal(response: ServerResponse, refused: Refusal): void {
  if (response.headersSent || response.destroyed) return;
  REFUSALS.publish(refused);
  const status = statusOf(refused);
  const headers = status === 503 ? { 'retry-after': '2', ...refused.headers } : refused.headers;
  answerText(response, status, 'application/json', JSON.stringify(envelopeOf(refused)), headers);
}

/** An answer of this service itself; no cache may store it. */
export function answerJson(response: ServerResponse, status: number, value: unknown): void {
  answerText(response, status, 'application/json', JSON.stringify(value), { 'cache-control': 'no-store' });
}

/** The text of the framework-level 404 of `/` and `//`: plain text, not the envelope (relay-5). */
export function answerNoRoute(response: ServerResponse): void {
  answerText(response, 404, 'text/plain; charset=utf-8', '404 Not Found', {});
}

function answerText(
  response: ServerResponse,
  status: number,
  type: string,
  text: string,
  headers: Readonly<Record<string, string>>,
): void {
  if (response.headersSent || response.destroyed) return;
  const body = Buffer.from(text);
  // With its own reason phrase: one that was set for an answer that could not be written must not appear in this one.
  response.writeHead(status, STATUS_CODES[status] ?? '', [
    ...Object.entries(headers).flat(),
    'content-type',
    type,
    'content-length',
    String(body.length),
  ]);
  endAnswer(response, body);
}

/** Sees every refusal that is answered. */
export const REFUSALS = channel('gateway.refusals');
