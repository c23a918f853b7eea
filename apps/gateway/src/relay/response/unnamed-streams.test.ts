import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../../testing/caller.ts';
import { TOKEN } from '../../testing/inspector.ts';
import { startWorld, type World } from '../../testing/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const event = (content: string): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
const LAST = 'data: [DONE]\n\n';

describe.each(['text/plain', 'application/json', 'application/octet-stream'])(
  'events that the engine calls %s',
  (type) => {
    const answered = (text: string) => {
      world.engine.on('/unnamed', (_request, response) => response.writeHead(200, { 'content-type': type }).end(text));
      const body = { model: 'm', stream: true, messages: [{ role: 'user', content: 'hello' }] };
      return ask(world.port, '/chat/unnamed', { key: world.key, body });
    };

    it.each(['', ': a comment\n\n', 'event: chunk\n'])('show no secret that is split over them (%j)', async (begin) => {
      const cut = event(`use ${TOKEN.slice(0, 17)}`) + event(`${TOKEN.slice(17)} now`);
      const answer = await answered(`${begin}${cut}${LAST}`);
      expect([answer.status, answer.json]).toMatchObject([502, { code: 'secret-detected' }]);
      expect(answer.text).not.toContain(TOKEN.slice(17));
    });

    it('pass unchanged where they contain none', async () => {
      const answer = await answered(event('use it') + LAST);
      expect([answer.status, answer.text]).toEqual([200, event('use it') + LAST]);
    });
  },
);
