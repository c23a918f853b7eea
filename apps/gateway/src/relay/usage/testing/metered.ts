import { Meter } from '../meter.ts';

const REQUEST = Buffer.from('{"messages":[{"role":"user","content":"one two"}]}');

/** A stream of these events: payloads, or the text of their data. */
export const sse = (...events: readonly (object | string)[]): string =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('');

/** An event of a chat that brings some text. */
export const delta = (content: string): object => ({
  choices: [{ index: 0, delta: { content }, finish_reason: null }],
});

/** A meter that saw an answer in parts of a size; 0: in one. */
export function metered(
  answer: string,
  { size = 0, events = false, path = '/v1/x', status = 200, method = 'POST', request = REQUEST } = {},
): Meter {
  const meter = new Meter(method, path, request);
  meter.head(status, events);
  const bytes = Buffer.from(answer);
  const step = size === 0 ? bytes.length : size;
  for (let at = 0; at < bytes.length; at += step) meter.push(bytes.subarray(at, at + step));
  return meter;
}
