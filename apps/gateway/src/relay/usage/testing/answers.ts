import type { EngineAnswer } from '../../../testing/engine.ts';

/** An event of a stream. */
export const event = (payload: object): string => `data: ${JSON.stringify(payload)}\n\n`;

/** An event of a chat that brings some text. */
export const delta = (content: string): string => event({ choices: [{ index: 0, delta: { content } }] });

/** A plain answer. */
export const json =
  (body: object, status = 200): EngineAnswer =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };

/** A stream of these parts that ends as an engine ends one. */
export const stream =
  (...parts: string[]): EngineAnswer =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const part of parts) response.write(part);
    response.end('data: [DONE]\n\n');
  };
