import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventUsage, LineBlocks, payloadsOf } from './event-usage.ts';
import { generatedText, promptText } from './generated-text.ts';
import { JsonUsage } from './json-usage.ts';

/** What is reported of a text that arrives in parts cut at these places. */
function reportedOf(text: string, places: readonly number[] = []) {
  const bytes = Buffer.from(text);
  const cuts = [0, ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  const usage = new JsonUsage();
  for (const [index, from] of cuts.slice(0, -1).entries()) usage.push(bytes.subarray(from, cuts[index + 1]));
  return usage.reported;
}

describe('the usage of a JSON answer', () => {
  it.each<[string, { input: number | null; output: number | null }]>([
    ['{"usage":{"prompt_tokens":1,"completion_tokens":2}}', { input: 1, output: 2 }],
    ['{ "a":[{"usage":{"prompt_tokens":9}}], "usage" : {"input_tokens":3,"x":{"y":1}} }', { input: 3, output: null }],
    ['{"usage":null,"x":{"prompt_tokens":1}}', { input: null, output: null }],
    ['{"a":"usage","prompt_tokens":1}', { input: null, output: null }],
    ['{"a":"\\"usage\\":{\\"prompt_tokens\\":1}"}', { input: null, output: null }],
    ['{"\\"usage":{"prompt_tokens":1}}', { input: null, output: null }],
    ['{"usages":{"prompt_tokens":1},"usag":{"prompt_tokens":2}}', { input: null, output: null }],
    ['["usage",{"prompt_tokens":1}]', { input: null, output: null }],
    ['{"usage":{"prompt_tokens":1}}\n{"usage":{"prompt_tokens":2}}', { input: 2, output: null }],
    ['{"message":{},"done":false}\n{"prompt_eval_count":26,"eval_count": 8 }\n', { input: 26, output: 8 }],
    ['{"content":"","tokens_predicted":2,"tokens_evaluated":5}', { input: 5, output: 2 }],
    ['{"eval_count":"7","prompt_eval_count":1.5,"x":{"eval_count":3}}', { input: null, output: null }],
    ['{"eval_count":-1,"prompt_eval_count":null,"y":["eval_count",9]}', { input: null, output: null }],
    ['{"eval_counts":1,"xeval_count":2,"a":"eval_count","b":3}', { input: null, output: null }],
    ['{"usage":{"input_tokens":3,"cache_read_input_tokens":5}}', { input: 3, output: null }],
    ['{"usage":{"cache_read_input_tokens":5}}', { input: null, output: null }],
    ['not JSON: "usage":{"prompt_tokens":1}', { input: null, output: null }],
  ])('of %s is read', (text, expected) => {
    expect(
      reportedOf(
        text,
        Array.from({ length: 40 }, (_, index) => index * 7),
      ),
    ).toEqual(expected);
    expect(reportedOf(text)).toEqual(expected);
  });

  it('is not kept past its bound while it passes', () => {
    const text = `{"usage":{"filler":"${'x'.repeat(40_000)}","prompt_tokens":1}}`;
    expect(reportedOf(text, [5000, 10_000, 15_000, 20_000, 30_000])).toEqual({ input: null, output: null });
  });

  it('is the same however the bytes are cut, and never throws', () => {
    fc.assert(
      fc.property(fc.json(), fc.json(), fc.array(fc.nat(), { maxLength: 8 }), (one, two, places) => {
        const text = `{"a":${one},"usage":{"prompt_tokens":5,"completion_tokens":6},"b":${two}}`;
        expect(reportedOf(text, places)).toEqual({ input: 5, output: 6 });
      }),
      { numRuns: 500 },
    );
    fc.assert(fc.property(fc.string(), fc.array(fc.nat()), (text, places) => reportedOf(text, places) !== undefined));
  });
});

describe('the lines of a stream', () => {
  it('come whole, however the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{0,9}$/)), fc.array(fc.nat()), (lines, places) => {
        const text = lines.map((line) => `${line}\n`).join('');
        const cuts = [0, ...places.map((place) => place % (text.length + 1)).toSorted((a, b) => a - b), text.length];
        const blocks: string[] = [];
        const reader = new LineBlocks((block) => blocks.push(block.toString()));
        for (const [index, from] of cuts.slice(0, -1).entries())
          reader.push(Buffer.from(text.slice(from, cuts[index + 1])));
        reader.end();
        expect(blocks.join('')).toBe(text);
        expect(blocks.every((block) => block.endsWith('\n'))).toBe(true);
      }),
    );
  });
  it('leave out one past the bound, and go on after it', () => {
    const blocks: string[] = [];
    const reader = new LineBlocks((block) => blocks.push(block.toString()));
    for (let index = 0; index < 20; index += 1) reader.push(Buffer.alloc(100_000, 'x'));
    reader.push(Buffer.from('tail\nnext\nlast'));
    reader.end();
    expect(blocks).toEqual(['next\n', 'last']);
  });
  it('give their payloads, whatever stands between', () => {
    const block = Buffer.from(': comment\nevent: x\ndata: {"a":1}\r\ndata:{"b":2}\rdata: [DONE]\ndata: 3\n');
    expect(payloadsOf(block)).toEqual([{ a: 1 }, { b: 2 }]);
  });
  it.each(['\n', '\r\n', '\r'])(
    'may be several for one event, whose usage and text count all the same (%j)',
    (newline) => {
      const event = (payload: unknown): string =>
        [
          ': c',
          ...JSON.stringify(payload, null, 1)
            .split('\n')
            .map((line) => `data: ${line}`),
          '',
          '',
        ].join(newline);
      const text = { choices: [{ index: 0, delta: { content: 'words' } }] };
      const usage = { choices: [], usage: { prompt_tokens: 3, completion_tokens: 4 } };
      const block = Buffer.from(`\ufeff${event(text)}${event(usage)}data: [DONE]${newline}${newline}`);
      expect(payloadsOf(block)).toEqual([text, usage]);
      const read = new EventUsage();
      read.push(block);
      expect(read.reported).toEqual({ input: 3, output: 4 });
    },
  );
  it.each(['', '\ufeff'])('report the usage that the first of several lines names (%j before it)', (mark) => {
    const usage = new EventUsage();
    usage.push(
      Buffer.from(`${mark}data: {"usage":\ndata: {"prompt_tokens":3,"completion_tokens":4}}\n\ndata: [DONE]\n\n`),
    );
    expect(usage.reported).toEqual({ input: 3, output: 4 });
  });
  it('report the usage of a first event behind a byte order mark', () => {
    const usage = new EventUsage();
    usage.push(Buffer.from('\ufeffdata: {"usage":{"prompt_tokens":1,"completion_tokens":2}}\n\n'));
    expect(usage.reported).toEqual({ input: 1, output: 2 });
  });
  it('report the last usage', () => {
    const usage = new EventUsage();
    usage.push(Buffer.from('data: {"usage":{"prompt_tokens":1}}\n'));
    usage.push(Buffer.from('data: {"usage":null}\n'));
    usage.push(Buffer.from('data: {"response":{"usage":{"output_tokens":4}}}\n'));
    expect(usage.reported).toEqual({ input: 1, output: 4 });
  });
  it('report the usage in a member of Groq’s own', () => {
    const usage = new EventUsage();
    usage.push(Buffer.from('data: {"choices":[],"x_groq":{"usage":{"prompt_tokens":1,"completion_tokens":2}}}\n\n'));
    expect(usage.reported).toEqual({ input: 1, output: 2 });
  });
  it('report the last one, in whichever family of names', () => {
    const usage = new EventUsage();
    usage.push(Buffer.from('data: {"usage":{"prompt_tokens":1,"completion_tokens":2}}\n\n'));
    usage.push(Buffer.from('data: {"response":{"usage":{"input_tokens":3,"output_tokens":4}}}\n\n'));
    expect(usage.reported).toEqual({ input: 3, output: 4 });
  });
  it('report what llama.cpp counts in its own events, but nothing that only looks like it', () => {
    const usage = new EventUsage();
    usage.push(Buffer.from('data: {"content":"a","stop":false,"tokens_predicted":1,"tokens_evaluated":5}\n\n'));
    usage.push(Buffer.from('data: {"content":"","stop":true,"tokens_predicted":2,"tokens_evaluated":5}\n\n'));
    usage.push(Buffer.from(`data: ${JSON.stringify({ content: '"tokens_predicted":9' })}\n\n`));
    usage.push(Buffer.from('data: {"x":{"tokens_predicted":9}}\n\n'));
    expect(usage.reported).toEqual({ input: 5, output: 2 });
  });
  it('report usage beside a null, and beside other words that end alike', () => {
    const usage = new EventUsage();
    usage.push(
      Buffer.from('data: {"usage": null,"myusage":{"prompt_tokens":9},"response":{"usage":{"input_tokens":2}}}\n'),
    );
    usage.push(Buffer.from('data: {"usage": {"output_tokens":3}}\n\ndata: {"usage" : null}\n\n'));
    expect(usage.reported).toEqual({ input: 2, output: 3 });
  });
});

describe('what a model said', () => {
  it.each<[unknown, string]>([
    [{ choices: [{ delta: { role: 'assistant', content: 'a' } }, { delta: { reasoning_content: 'b' } }] }, 'ab'],
    [{ choices: [{ text: 'old' }] }, 'old'],
    [{ choices: [{ message: { role: 'assistant', content: 'x' }, finish_reason: 'stop' }] }, 'x'],
    [{ choices: [{ delta: { tool_calls: [{ id: '1', function: { name: 'f', arguments: '{}' } }] } }] }, 'f{}'],
    [{ type: 'content_block_delta', delta: { type: 'text_delta', text: 'hi' } }, 'hi'],
    [{ type: 'response.output_text.delta', delta: 'piece' }, 'piece'],
    [{ type: 'response.output_text.done', text: 'the whole again' }, ''],
    [{ content: [{ type: 'text', text: 'plain' }] }, 'plain'],
    [{ output: [{ content: [{ type: 'output_text', text: 'out' }] }] }, 'out'],
    [{ text: 'a transcript' }, 'a transcript'],
    [{ message: { role: 'assistant', content: 'c', thinking: 't' }, done: false }, 'ct'],
    [{ response: 'r', thinking: '', done: false }, 'r'],
    [{ index: 0, content: 'own', stop: false }, 'own'],
    [{ type: 'message.delta', content: 'studio' }, 'studio'],
    [{ type: 'chat.end', result: { output: [{ type: 'message', content: 'all of it' }] } }, ''],
    [{ token: { id: 5, text: 'tok' }, generated_text: 'all of it' }, 'tok'],
    [[{ generated_text: 'whole' }], 'whole'],
    [{ object: 'error', message: 'a fault' }, ''],
    [{ data: [{ id: 'model' }] }, ''],
    [null, ''],
    ['text', ''],
  ])('in %j is %j', (payload, text) => {
    expect(generatedText(payload)).toBe(text);
  });
  it('and what it was asked leave out names and embedded files', () => {
    const messages = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'see' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
    ];
    expect(promptText({ model: 'm', messages }).trim()).toBe('see');
    const bare = Buffer.alloc(3000, 7).toString('base64');
    const source = { type: 'base64', media_type: 'image/png', data: bare };
    const pictured = [
      {
        role: 'user',
        content: [
          { type: 'image', source },
          { type: 'text', text: 'seen' },
        ],
      },
    ];
    expect(promptText({ messages: pictured })).not.toContain(bare);
    expect(promptText({ prompt: 'look', images: [bare] })).toBe('look');
    expect(promptText({ messages: [{ role: 'user', content: 'look', images: [bare] }] }).trim()).toBe('look');
    expect(promptText({ prompt: 'x'.repeat(900) })).toHaveLength(900);
    expect(promptText({ prompt: 'one two '.repeat(900) })).toHaveLength(7200);
    expect(promptText({ prompt: 'p', system: 's' })).toBe('s p');
    expect(promptText({ inputs: 'i', parameters: {} })).toBe('i');
    expect(promptText(undefined)).toBe('');
  });
});
