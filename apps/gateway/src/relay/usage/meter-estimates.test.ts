import { describe, expect, it } from 'vitest';
import { Meter } from './meter.ts';
import { delta, metered, sse } from './testing/metered.ts';

const words = async (text: string): Promise<number> => text.split(/\s+/).filter((word) => word !== '').length;

describe('the meter', () => {
  it.each<[string, string, string, boolean, number]>([
    ['chat', '{"messages":[{"role":"user","content":"one two three"}]}', sse(delta('four '), delta('five')), true, 2],
    [
      'responses',
      '{"instructions":"one","input":"two three"}',
      sse({ type: 'response.output_text.delta', delta: 'four five' }),
      true,
      2,
    ],
    [
      'messages',
      '{"system":"one","messages":[{"content":[{"type":"text","text":"two three"}]}]}',
      sse({ type: 'content_block_delta', delta: { type: 'text_delta', text: 'four five' } }),
      true,
      2,
    ],
    [
      'Gemini',
      '{"systemInstruction":{"parts":[{"text":"one"}]},"contents":[{"role":"user","parts":[{"text":"two three"}]}]}',
      JSON.stringify({ candidates: [{ content: { role: 'model', parts: [{ text: 'four five' }] } }] }),
      false,
      2,
    ],
    [
      'Ollama',
      '{"system":"one","prompt":"two three"}',
      '{"response":"four ","done":false}\n{"response":"five","done":false}\n',
      false,
      2,
    ],
    ['what only tolerant parsers read', '{"input": NaN, }', JSON.stringify({ output: [] }), false, 0],
  ])('estimates the texts of %s', async (_, request, answer, events, output) => {
    const meter = new Meter('POST', '/x', Buffer.from(request));
    meter.head(200, events);
    meter.push(Buffer.from(answer));
    expect(meter.metered()).toBeNull();
    expect(await meter.estimate(words)).toEqual({ input: 3, cached: 0, written: 0, output });
  });

  it('estimates the text of a long stream whole', async () => {
    const meter = metered(sse(...Array.from({ length: 3000 }, () => delta('word '))), { events: true, size: 4000 });
    expect(await meter.estimate(words)).toMatchObject({ output: 3000 });
  });
});
