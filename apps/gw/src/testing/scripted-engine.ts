import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One call that a turn asks for. `raw` replaces the arguments' JSON. */
export interface ScriptedCall {
  readonly name: string;
  readonly args?: unknown;
  readonly raw?: string;
}
export interface ScriptedTurn {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly usage?: { readonly input: number; readonly output: number } | null;
  /** Answers with this status and body instead. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Closes the connection after this many events. */
  readonly breakAfter?: number;
  /** Answers in one piece of JSON, as engines do that do not stream. */
  readonly whole?: boolean;
  /** Waits before the last event: for turns that are interrupted. */
  readonly hold?: Promise<unknown>;
}
type Turn = ScriptedTurn | string;
export type Script = readonly (Turn | ((request: EngineRequest) => Turn | Promise<Turn>))[];

export interface EngineRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly model: string;
    readonly stream: boolean;
    readonly messages: readonly { readonly role: string; readonly content: string; readonly tool_call_id?: string }[];
    readonly tools?: readonly { readonly function: { readonly name: string } }[];
  };
  readonly text: string;
}

/** An engine that plays a script over HTTP, as chat completions. A script that is over answers `Done.`. */
export interface ScriptedEngine {
  readonly url: string;
  readonly requests: readonly EngineRequest[];
  play(script: Script): void;
  /** The tool results in the latest request to the model. */
  results(): readonly string[];
  close(): Promise<void>;
}

export async function startEngine(): Promise<ScriptedEngine> {
  const requests: EngineRequest[] = [];
  let turns: Script = [];
  let calls = 0;
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const request = {
        path: incoming.url ?? '',
        headers: incoming.headers,
        body: JSON.parse(text),
        text,
      } as EngineRequest;
      requests.push(request);
      const [next = 'Done.', ...rest] = turns;
      turns = rest;
      const play = async (): Promise<void> => {
        const turn = typeof next === 'function' ? await next(request) : next;
        await answer(response, typeof turn === 'string' ? { text: turn } : turn, () => `call_${(calls += 1)}`);
      };
      play().catch(() => response.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    play(script) {
      turns = script;
      requests.length = 0;
    },
    results: () =>
      (requests.at(-1)?.body.messages ?? []).filter(({ role }) => role === 'tool').map(({ content }) => content),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(response: ServerResponse, turn: ScriptedTurn, nextId: () => string): Promise<void> {
  if (turn.status !== undefined) {
    response.writeHead(turn.status, { 'content-type': 'application/json', ...turn.headers });
    response.end(turn.body ?? '{"error":{"message":"The engine says no."}}');
    return;
  }
  const tools = (turn.calls ?? []).map((call) => ({
    id: nextId(),
    type: 'function',
    function: { name: call.name, arguments: call.raw ?? JSON.stringify(call.args ?? {}) },
  }));
  const usage = turn.usage === undefined ? { input: 10, output: 5 } : turn.usage;
  const counted = usage === null ? {} : { usage: { prompt_tokens: usage.input, completion_tokens: usage.output } };
  const finish = tools.length > 0 ? 'tool_calls' : 'stop';
  if (turn.whole === true) {
    const message = { role: 'assistant', content: turn.text ?? '', tool_calls: tools };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ choices: [{ message, finish_reason: finish }], ...counted }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (value: unknown): void => {
    response.write(`data: ${JSON.stringify(value)}\n\n`);
  };
  const events = [
    ...(turn.reasoning === undefined ? [] : [{ delta: { reasoning_content: turn.reasoning } }]),
    ...(turn.text?.match(/[\s\S]{1,7}/g) ?? []).map((content) => ({ delta: { content } })),
    ...tools.flatMap(({ id, function: { name, arguments: text } }, index) => [
      { delta: { tool_calls: [{ index, id, function: { name, arguments: '' } }] } },
      ...(text.match(/[\s\S]{1,9}/g) ?? []).map((piece) => ({
        delta: { tool_calls: [{ index, function: { arguments: piece } }] },
      })),
    ]),
  ];
  for (const [at, choice] of events.entries()) {
    if (at === turn.breakAfter) {
      // What was written must have left before.
      await new Promise((resolve) => setTimeout(resolve, 30));
      response.destroy();
      return;
    }
    send({ choices: [choice] });
  }
  await turn.hold;
  send({ choices: [{ delta: {}, finish_reason: finish }] });
  if (usage !== null) send({ choices: [], ...counted });
  response.end('data: [DONE]\n\n');
}
