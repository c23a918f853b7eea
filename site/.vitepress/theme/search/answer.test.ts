import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { answerTo, NO_ANSWER } from './answer.ts';
import { wordsBegunIn } from './beginnings.ts';

vi.mock('./beginnings.ts', () => ({ wordsBegunIn: vi.fn<typeof wordsBegunIn>() }));
const begun = vi.mocked(wordsBegunIn);
const asked = vi.fn<typeof fetch>();
const { signal } = new AbortController();
const place = { href: '/v/1.0.0/log#checkpoint', titles: ['Log', 'Checkpoint'], excerpt: '' };
const found = { page: 'Log', section: 'Seals', url: '/v/1.0.0/log.html#seals', excerpt: 'Each `batch` ends.' };

beforeEach(() => {
  vi.stubGlobal('fetch', asked);
  begun.mockReset().mockResolvedValue([]);
  asked.mockReset();
});
afterEach(() => vi.unstubAllGlobals());

const says = (body: unknown, status = 200): void => {
  asked.mockImplementation(async () => Response.json(body, { status }));
};

it('shows what the gateway answers, and says how it was read', async () => {
  says({ results: [found, { ...found, section: null }, { ...found, section: 'Log' }], note: 'Searched for x.' });
  expect(await answerTo('seels & co', signal)).toEqual({
    hits: [['Log', 'Seals'], ['Log'], ['Log']].map((titles) => ({
      href: '/v/1.0.0/log.html#seals',
      titles,
      excerpt: 'Each batch ends.',
    })),
    note: 'Searched for x.',
  });
  expect(asked.mock.lastCall?.[0]).toBe('/v/_search?q=seels+%26+co&limit=8');
  expect(begun).not.toHaveBeenCalled();
});
it('shows what begins like this where the gateway has no answer', async () => {
  says({ results: [], note: 'Nothing covers this.' });
  begun.mockResolvedValue([place]);
  expect(await answerTo('checkp', signal)).toEqual({ hits: [place], note: expect.stringContaining('begin like this') });
});
it('shows why there is none where nothing begins like this either', async () => {
  says({ results: [], note: 'Nothing covers this. Did you mean: x?' });
  expect(await answerTo('zeppelin', signal)).toEqual({ hits: [], note: 'Nothing covers this. Did you mean: x?' });
});
it('shows the nearest pages as such where nothing begins like this', async () => {
  says({ results: [], nearest: [found], note: 'No page answers this. It does not mention: zeppelin.' });
  expect(await answerTo('zeppelin seals', signal)).toEqual({
    hits: [{ href: found.url, titles: ['Log', 'Seals'], excerpt: 'Each batch ends.' }],
    note: 'No page answers this. It does not mention: zeppelin. Nearest:',
  });
});
it.each([
  ['answers nothing', () => asked.mockRejectedValue(new TypeError('Failed to fetch'))],
  ['has no search', () => says({ error: 'no llms-full.txt' }, 501)],
  ['is no gateway', () => asked.mockImplementation(async () => new Response('<h1>Hello</h1>'))],
])('goes by itself where what serves the pages %s', async (_, set) => {
  set();
  begun.mockResolvedValue([place]);
  expect((await answerTo('checkp', signal)).hits).toEqual([place]);
  begun.mockResolvedValue([]);
  expect(await answerTo('checkp', signal)).toMatchObject({ hits: [], note: expect.stringMatching(/^Nothing/) });
});
it('asks nothing where nothing is written', async () => {
  expect(await answerTo(' \t', signal)).toEqual(NO_ANSWER);
  expect(asked).not.toHaveBeenCalled();
});
it('reports nothing once it was cancelled', async () => {
  const given = new AbortController();
  asked.mockImplementation(async () => {
    given.abort();
    throw new DOMException('aborted', 'AbortError');
  });
  await expect(answerTo('x', given.signal)).rejects.toThrow('aborted');
  expect(begun).not.toHaveBeenCalled();
});
