import { describe, expect, it } from 'vitest';
import { BackgroundReading } from './background.ts';
import { UsageReading } from './counts.ts';
import { EventUsage, payloadsOf } from './event-usage.ts';

function events() {
  const reading = new UsageReading();
  const usage = new EventUsage(reading, new BackgroundReading());
  return {
    block: (lines: Buffer) => usage.read(lines),
    get reported() {
      return reading.reported;
    },
  };
}

describe('the events of a stream', () => {
  it('give their payloads, with anything in between', () => {
    const block = Buffer.from(': comment\nevent: x\ndata: {"a":1}\r\ndata:{"b":2}\rdata: [DONE]\ndata: 3\n');
    expect(payloadsOf(block)).toEqual([{ a: 1 }, { b: 2 }]);
  });
  it.each(['\n', '\r\n', '\r'])('may be several for one event, whose usage and text still count (%j)', (newline) => {
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
    const read = events();
    read.block(block);
    expect(read.reported).toMatchObject({ input: 3, output: 4 });
  });
  it.each(['', '\ufeff'])('report the usage that the first of several lines names (%j before it)', (mark) => {
    const usage = events();
    usage.block(
      Buffer.from(`${mark}data: {"usage":\ndata: {"prompt_tokens":3,"completion_tokens":4}}\n\ndata: [DONE]\n\n`),
    );
    expect(usage.reported).toMatchObject({ input: 3, output: 4 });
  });
  it('report the usage of a first event after a byte order mark', () => {
    const usage = events();
    usage.block(Buffer.from('\ufeffdata: {"usage":{"prompt_tokens":1,"completion_tokens":2}}\n\n'));
    expect(usage.reported).toMatchObject({ input: 1, output: 2 });
  });
  it('report the last usage', () => {
    const usage = events();
    usage.block(Buffer.from('data: {"usage":{"prompt_tokens":1}}\n'));
    usage.block(Buffer.from('data: {"usage":null}\n'));
    usage.block(Buffer.from('data: {"response":{"usage":{"output_tokens":4}}}\n'));
    expect(usage.reported).toMatchObject({ input: 1, output: 4 });
  });
  it('report the usage in a member of Groq’s own', () => {
    const usage = events();
    usage.block(Buffer.from('data: {"choices":[],"x_groq":{"usage":{"prompt_tokens":1,"completion_tokens":2}}}\n\n'));
    expect(usage.reported).toMatchObject({ input: 1, output: 2 });
  });
  it('report the last one, in any family of names', () => {
    const usage = events();
    usage.block(Buffer.from('data: {"usage":{"prompt_tokens":1,"completion_tokens":2}}\n\n'));
    usage.block(Buffer.from('data: {"response":{"usage":{"input_tokens":3,"output_tokens":4}}}\n\n'));
    expect(usage.reported).toMatchObject({ input: 3, output: 4 });
  });
  it('report what llama.cpp counts in its own events, but nothing that only looks like it', () => {
    const usage = events();
    usage.block(Buffer.from('data: {"content":"a","stop":false,"tokens_predicted":1,"tokens_evaluated":5}\n\n'));
    usage.block(Buffer.from('data: {"content":"","stop":true,"tokens_predicted":2,"tokens_evaluated":5}\n\n'));
    usage.block(Buffer.from(`data: ${JSON.stringify({ content: '"tokens_predicted":9' })}\n\n`));
    usage.block(Buffer.from('data: {"x":{"tokens_predicted":9}}\n\n'));
    expect(usage.reported).toMatchObject({ input: 5, output: 2 });
  });
  it('report usage beside a null, and beside other words with the same ending', () => {
    const usage = events();
    usage.block(
      Buffer.from('data: {"usage": null,"myusage":{"prompt_tokens":9},"response":{"usage":{"input_tokens":2}}}\n'),
    );
    usage.block(Buffer.from('data: {"usage": {"output_tokens":3}}\n\ndata: {"usage" : null}\n\n'));
    expect(usage.reported).toMatchObject({ input: 2, output: 3 });
  });
});
