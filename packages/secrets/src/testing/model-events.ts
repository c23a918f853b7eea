import { createEventStream } from '../stream/events.ts';
import type { Framing } from '../stream/framing.ts';
import { createScanner } from '../stream/scanner.ts';
import { dice, draw } from './specimen.ts';

export const scanner = createScanner({ key: Buffer.from('events') });
export const roll = dice('events');
export const token = `ghp_${draw('A-Za-z0-9', 36, roll)}`;
export const MASK = { high: 'mask', medium: 'mask' } as const;
export const BLOCK = { high: 'block', medium: 'block' } as const;
export const ALERT = { high: 'alert', medium: 'alert' } as const;

export function run(
  chunks: readonly Uint8Array[],
  responses: typeof MASK | typeof BLOCK | typeof ALERT = MASK,
  framing: Framing = 'sse',
) {
  const stream = createEventStream(scanner, responses, framing);
  const steps = [...chunks.map((chunk) => stream.push(chunk)), stream.end()];
  return {
    text: Buffer.concat(steps.map(({ bytes }) => bytes)).toString(),
    findings: steps.flatMap(({ findings }) => findings),
    blocked: steps.some(({ blocked }) => blocked),
  };
}

export const sse = (...events: readonly unknown[]): Buffer =>
  Buffer.from(events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join(''));

/** An event of a streamed chat completion. */
export interface Chat {
  choices?: {
    index: number;
    delta: { content?: string; tool_calls?: { index: number; function: { arguments: string } }[] };
  }[];
}

/** What a client would put together of each choice and tool call. */
export function assembled(text: string): { [channel: string]: string } {
  const channels: { [channel: string]: string } = {};
  for (const [, data] of text.matchAll(/^data: (\{.*\})$/gm)) {
    for (const { index, delta } of (JSON.parse(data ?? '{}') as Chat).choices ?? []) {
      channels[`content ${index}`] = (channels[`content ${index}`] ?? '') + (delta.content ?? '');
      for (const call of delta.tool_calls ?? []) {
        const name = `call ${index}.${call.index}`;
        channels[name] = (channels[name] ?? '') + call.function.arguments;
      }
    }
  }
  return channels;
}

export const content = (text: string, index = 0): unknown => ({
  id: 'c',
  choices: [{ index, delta: { content: text }, finish_reason: null }],
});
export const call = (text: string, index: number): unknown => ({
  id: 'c',
  choices: [{ index: 0, delta: { tool_calls: [{ index, function: { arguments: text } }] }, finish_reason: null }],
});
export const stop = { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
