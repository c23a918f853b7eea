import { describe, expect, it } from 'vitest';
import { MASK, run, scanner, sse, token } from '../testing/model-events.ts';
import { createEventStream } from './events.ts';

const chat = (delta: unknown): unknown => ({ choices: [{ index: 0, delta, finish_reason: null }] });

/** Each a text that continues from event to event. */
const TEXTS: readonly [string, (text: string) => unknown][] = [
  ['the content of a choice', (text) => chat({ content: text })],
  ['parts of its content', (text) => chat({ content: [{ type: 'text', text }] })],
  ['its reasoning', (text) => chat({ reasoning_content: text })],
  ['parts of its reasoning', (text) => chat({ reasoning_details: [{ type: 'reasoning.text', index: 0, text }] })],
  ['summaries of it', (text) => chat({ reasoning_details: [{ type: 'reasoning.summary', index: 0, summary: text }] })],
  ['reasoning as content', (text) => chat({ content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }] })],
  ['blocks of thinking', (text) => chat({ thinking_blocks: [{ type: 'thinking', thinking: text }] })],
  ['arguments of a tool', (text) => chat({ tool_calls: [{ index: 0, function: { arguments: text } }] })],
  ['the input of a custom tool', (text) => chat({ tool_calls: [{ index: 0, custom: { input: text } }] })],
  ['a completion', (text) => ({ choices: [{ index: 0, text }] })],
  ['a completion of llama.cpp', (text) => ({ index: 0, content: text, stop: false })],
  ['the token of a text generation', (text) => ({ index: 1, token: { id: 5, text }, generated_text: null })],
  ['a transcription', (text) => ({ type: 'transcript.text.delta', delta: text })],
  ['a message of LM Studio', (text) => ({ type: 'message.delta', content: text })],
  ['the reasoning of LM Studio', (text) => ({ type: 'reasoning.delta', content: text })],
  ['a content delta', (text) => ({ type: 'content-delta', index: 0, delta: { message: { content: { text } } } })],
  [
    'one of thinking',
    (thinking) => ({ type: 'content-delta', index: 0, delta: { message: { content: { thinking } } } }),
  ],
  [
    'one of a tool call',
    (text) => ({
      type: 'tool-call-delta',
      index: 0,
      delta: { message: { tool_calls: { function: { arguments: text } } } },
    }),
  ],
];

describe('texts of streams', () => {
  // relay-32
  it.each(TEXTS)('hide no secret that is split over their events: %s', (_, event) => {
    const mark = '-here-';
    const [before = '', after = ''] = JSON.stringify(event(mark)).split(mark);
    for (let at = 1; at < token.length; at += 1) {
      const { text } = run([sse(event(`use ${token.slice(0, at)}`), event(`${token.slice(at)} now`), '[DONE]')]);
      const spoken = text
        .split('\n\n')
        .filter((line) => line.startsWith(`data: ${before}`))
        .map((line) => line.slice(`data: ${before}`.length, -after.length));
      expect(spoken.join(''), String(at)).toBe('use [secret:access-token] now');
    }
  });

  it.each<[string, (text: string) => unknown]>([
    ['identifiers', (id) => chat({ tool_calls: [{ index: 0, id, type: 'function' }] })],
    ['signatures', (signature) => chat({ thinking_blocks: [{ type: 'thinking', signature }] })],
    ['the whole message', (content) => ({ choices: [{ index: 0, message: { content } }] })],
    ['the content of anything', (content) => ({ content })],
    ['the content of any event', (content) => ({ type: 'message', content })],
  ])('are none of these, which leave immediately: %s', (_, event) => {
    const bytes = sse(event('it is ghp_'));
    expect(createEventStream(scanner, MASK, 'sse').push(bytes).bytes).toEqual(bytes);
  });
});
