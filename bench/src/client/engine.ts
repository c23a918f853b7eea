import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An engine that answers at once, as streamed chat completions: each message with one call of List, then with a sentence. */
export async function startClientEngine(): Promise<{ readonly url: string; close(): Promise<void> }> {
  let calls = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { messages } = JSON.parse(Buffer.concat(chunks).toString()) as {
        messages: readonly { readonly role: string; readonly content: unknown }[];
      };
      const last = messages.at(-1);
      const wantsTool = last?.role === 'user' && String(last.content).startsWith('Question');
      const call = { index: 0, id: `call_${(calls += 1)}`, function: { name: 'List', arguments: '{}' } };
      const delta = wantsTool
        ? { tool_calls: [call] }
        : { content: 'The project is empty. What shall I write there? ' };
      const events = [
        { choices: [{ delta }] },
        { choices: [{ delta: {}, finish_reason: wantsTool ? 'tool_calls' : 'stop' }] },
        { choices: [], usage: { prompt_tokens: 10, completion_tokens: 10 } },
      ];
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
