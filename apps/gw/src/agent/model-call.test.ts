import { expect, it } from 'vitest';
import { callModel, estimateTokens } from './model-call.ts';
import type { AgentEvent, Model, ModelEvent } from './types/index.ts';

function modelOf(events: readonly (ModelEvent | Error)[]): Model {
  return {
    name: 'Test',
    entry: 'Test',
    contextLength: null,
    images: null,
    prices: null,
    async *stream() {
      for (const event of events) {
        if (event instanceof Error) throw event;
        yield event;
      }
    },
  };
}
async function call(...events: readonly (ModelEvent | Error)[]) {
  const emitted: AgentEvent[] = [];
  const request = { messages: [], tools: [], session: 'x' };
  const answer = await callModel(modelOf(events), request, new AbortController().signal, (event) =>
    emitted.push(event),
  );
  return { answer, notices: emitted.flatMap((event) => (event.type === 'notice' ? [event] : [])) };
}
const text: ModelEvent = { type: 'text', text: 'Half of it' };
const wanted: ModelEvent = { type: 'tool-call', call: { id: 'a', name: 'Write', arguments: '{}' } };

it('an answer that reached the limit of tokens is reported as cut', async () => {
  const { answer, notices } = await call(text, { type: 'end', reason: 'length' });
  expect(answer).toMatchObject({ text: 'Half of it', error: null });
  expect(notices).toMatchObject([{ level: 'warning', text: expect.stringMatching(/cut.*maxTokens/) }]);
});
it.each(['stop', 'tool_calls'])('an answer that ends with %s needs no notice', async (reason) => {
  expect((await call(text, { type: 'end', reason })).notices).toEqual([]);
});
it('an answer that breaks off keeps its text and none of its calls', async () => {
  const { answer } = await call(text, wanted, { type: 'usage', input: 3, output: 4 }, new Error('reset'));
  expect(answer).toMatchObject({
    text: 'Half of it',
    calls: [],
    usage: { input: 3, output: 4 },
    error: new Error('reset'),
  });
});

it('an image counts for what engines count, not for its bytes, in a message and in a result', () => {
  const image = `data:image/png;base64,${'A'.repeat(400_000)}`;
  const sizes = [
    estimateTokens([{ role: 'user', content: [{ type: 'image', url: image }] }]),
    estimateTokens([{ role: 'tool', callId: 'a', content: 'The picture follows.', images: [image] }]),
  ];
  for (const size of sizes) expect(size).toBeLessThan(2000);
});
