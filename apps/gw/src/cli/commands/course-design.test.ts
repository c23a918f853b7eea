import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fakeGateway } from '../../testing/fake-gateway.ts';
import { openWorld, type World } from '../../testing/world.ts';

let world: World;
beforeEach(() => {
  world = openWorld();
  mkdirSync(join(world.project, 'src'), { recursive: true });
  writeFileSync(join(world.project, 'src/cart.ts'), 'export function total() {\n  return 1;\n}\n');
});
afterEach(() => world.close());

const lesson = (title: string, symbol: string) => ({
  title,
  path: 'src/cart.ts',
  symbol,
  text: '# Big\nIt adds.',
  question: 'What?',
  answer: 'Prices.',
});
const completion = (content: string) => ({
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
});
const WORDS = ['course', 'design', '--label', 'The cart', '--sortie', 'cart.md'];

async function drafted(...answers: readonly (string | number)[]) {
  const left = [...answers];
  const engine = await fakeGateway(() => {
    const next = left.shift() ?? 500;
    return typeof next === 'number'
      ? { status: next, body: { error: 'No plan assigned.' } }
      : { status: 200, body: completion(next) };
  });
  world.write(
    'home/casey/.gateway/config.yaml',
    `name: x\nversion: 1.0.0\nmodels:\n  - name: m\n    model: m\n    apiBase: ${engine.url}/v1\n    apiKey: k\n`,
  );
  return { ran: await world.gw(WORDS), asked: engine.seen.map(({ body }) => body) };
}

it('drafts a course whose links are checked, and which gw course reads', async () => {
  const answer = `Here it is:\n\`\`\`json\n${JSON.stringify({ introduction: 'Welcome.', lessons: [lesson('Total', 'total'), lesson('Lies', 'nothing')] })}\n\`\`\``;
  const { ran, asked } = await drafted(answer);
  expect(ran).toMatchObject({ code: 0, out: 'cart.md: 1 lesson. Read and correct: a model wrote it.\n' });
  expect(asked[0]).toContain('src/cart.ts: total');
  expect(readFileSync(join(world.project, 'cart.md'), 'utf8')).toMatch(
    /^# The cart\n\nWelcome.\n\n## Total\n\n<!-- code: src\/cart.ts#total sha256:[0-9a-f]{64} -->\n\n\\# Big\nIt adds\./,
  );
  expect(await world.gw(['course', 'check', 'cart.md'])).toMatchObject({
    code: 0,
    out: '1 lesson agrees with the code.\n',
  });
  expect((await world.gw(WORDS)).err).toContain('cart.md exists already');
});

it('returns an answer that cannot be used to the model, with the fault', async () => {
  const { ran, asked } = await drafted(
    'I cannot.',
    '{"lessons":[]}',
    JSON.stringify({ lessons: [lesson('Total', 'total')] }),
  );
  expect(ran.code, ran.err).toBe(0);
  expect(asked[1]).toContain('The answer is not a JSON object.');
  expect(asked[2]).toContain('lessons: ');
});

it.each([
  [['x', 'x', 'x'], 1, 'The model gave no course that can be used'],
  [[JSON.stringify({ lessons: [lesson('A', 'b')] }), 'x', 'x'], 1, 'no course'],
  [[403], 4, 'No plan assigned.'],
] as const)('leaves no file behind where %j is the answer', async (answers, code, message) => {
  const { ran } = await drafted(...answers);
  expect([ran.code, ran.err.includes(message)], ran.err).toEqual([code, true]);
  expect(existsSync(join(world.project, 'cart.md'))).toBe(false);
});
