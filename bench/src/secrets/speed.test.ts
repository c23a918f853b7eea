import { createScanner } from '@gateway/secrets';
import { describe, expect, it } from 'vitest';
import { chatBody, measureSlices, timed } from './speed.ts';

describe('a body of the measurement', () => {
  it('is a chat with a cut of the text, of the length that was asked for', () => {
    const body = chatBody('0123456789', 3, 4).toString();
    expect(JSON.parse(body)).toMatchObject({ stream: true, messages: [{ role: 'user', content: '3456' }] });
    expect(JSON.parse(chatBody('short', 0, 100).toString())).toMatchObject({ messages: [{ content: 'short' }] });
  });
});

it('the time of a call is that of this call', () => {
  let calls = 0;
  const time = timed(() => {
    calls += 1;
  });
  expect(calls).toBe(1);
  expect(time).toBeGreaterThan(0);
});

it('the longest slice is one of many of a large body, not the whole of it', async () => {
  let pauses = 0;
  const scanner = createScanner({ key: Buffer.from('x') });
  const counting = {
    ...scanner,
    scanBodyInSlices: async (body: Uint8Array, _type: string | undefined, pause: () => Promise<void>) => {
      for (let left = 3; left > 0; left -= 1) await pause();
      pauses += 3;
      return { findings: [], mask: () => body };
    },
  };
  const longest = await measureSlices(counting, 'words and more words ');
  expect(pauses).toBe(30);
  expect(longest).toBeGreaterThanOrEqual(0);
});
