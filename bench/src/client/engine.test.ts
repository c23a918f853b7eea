import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startClientEngine } from './engine.ts';

let engine: Awaited<ReturnType<typeof startClientEngine>>;
beforeAll(async () => {
  engine = await startClientEngine();
});
afterAll(() => engine.close());

interface Event {
  readonly choices: readonly {
    readonly delta: {
      readonly content?: string;
      readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string } }[];
    };
    readonly finish_reason?: string;
  }[];
  readonly usage?: object;
}

async function events(...messages: readonly { role: string; content: string }[]): Promise<readonly Event[]> {
  const answer = await fetch(`${engine.url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ messages }),
  });
  const texts = (await answer.text()).split('\n\n').filter((text) => text !== '');
  expect(texts.at(-1)).toBe('data: [DONE]');
  return texts.slice(0, -1).map((text) => JSON.parse(text.replace(/^data: /, '')) as Event);
}

describe('the engine behind a measured client', () => {
  it('asks for one call of a tool at each message, with an id of its own', async () => {
    const first = await events({ role: 'user', content: 'Question 1' });
    const second = await events({ role: 'user', content: 'Question 2' });
    const calls = [first, second].map(([event]) => event?.choices[0]?.delta.tool_calls?.[0]);
    expect(calls.map((call) => call?.function.name)).toEqual(['List', 'List']);
    expect(calls[0]?.id).not.toBe(calls[1]?.id);
    expect(first[1]?.choices[0]?.finish_reason).toBe('tool_calls');
  });

  it('answers with a sentence once the tool has answered, and to what is no such message', async () => {
    const asked = { role: 'user', content: 'Question 1' };
    for (const messages of [[asked, { role: 'tool', content: 'empty' }], [{ role: 'user', content: 'Hello' }]]) {
      const [said, end, usage] = await events(...messages);
      expect(said?.choices[0]?.delta.content).toMatch(/\w/);
      expect(end?.choices[0]?.finish_reason).toBe('stop');
      expect(usage?.usage).toBeDefined();
    }
  });

  it('serves sessions at once, and ends open connections when it is closed', async () => {
    const own = await startClientEngine();
    const ask = (content: string): Promise<Response> =>
      fetch(own.url, { method: 'POST', body: JSON.stringify({ messages: [{ role: 'user', content }] }) });
    const answers = await Promise.all(['Hello', 'Question 1', 'Hello'].map(async (text) => (await ask(text)).text()));
    expect(answers.map((answer) => answer.includes('tool_calls'))).toEqual([false, true, false]);
    await own.close();
    await expect(ask('Hello')).rejects.toThrow('fetch failed');
  });
});
