import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorld, type RunOptions, type World } from '../../testing/world.ts';

let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const FILE = 'docs/course/cart.md';
const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(world.project, path)), { recursive: true });
  writeFileSync(join(world.project, path), text);
};
const lesson = (title: string, code: string): string =>
  `## ${title}\n\n<!-- code: ${code} -->\n\nText of ${title}.\n\n### Exercise\n\nWhat?\n\n<details><summary>Answer</summary>\n\nThat of ${title}.\n\n</details>\n`;
const setUp = async (): Promise<void> => {
  put('src/cart.ts', 'export function total() {\n  return 1;\n}\nexport const tax = 2;\n');
  put(FILE, `# The cart\n\nWelcome.\n\n${lesson('Total', 'src/cart.ts#total')}\n${lesson('Tax', 'src/cart.ts#tax')}`);
  expect(await world.gw(['course', 'check', '--update'])).toMatchObject({ code: 0, out: `${FILE}: recorded.\n` });
};
/** A person in a terminal who gives these answers, then ends the input. */
const person = (...answers: readonly string[]): RunOptions => {
  const left = [...answers];
  return { terminal: { input: true, output: true, ask: async () => left.shift() ?? null } };
};
const later = (days: number): Date => new Date(Date.parse('2026-11-21T09:30:00.123Z') + days * 86_400_000);

describe('gw course', () => {
  it.each([
    [['course'], 'needs <action>'],
    [['course', 'dance'], 'takes follow, review, check, design, not "dance"'],
    [['course', 'follow', '--update'], '--update belongs to gw course check'],
    [['course', 'design', '--label', 'x'], 'needs --label <label> and --sortie <file>'],
    [['course', 'follow', 'none.md'], 'There is no course'],
    [['course', 'follow'], 'There is no course in docs/course or .gateway/courses'],
  ])('%j is refused', async (words, message) => {
    const { code, err } = await world.gw(words);
    expect([code, err.includes(message)], err).toEqual([2, true]);
  });

  it('has nothing to check where there is no course', async () => {
    expect(await world.gw(['course', 'check'])).toMatchObject({ code: 0, out: 'There is no course to check.\n' });
  });

  // client-25
  it('reopens the lesson whose code changed, and names lesson, symbol and commit', async () => {
    await setUp();
    world.git('init', '-q');
    world.git('add', '-A');
    world.git('-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '-q', '-m', 'Add the cart');
    expect(await world.gw(['course', 'check'])).toMatchObject({ code: 0, out: '2 lessons agree with the code.\n' });
    put(
      'src/cart.ts',
      '// A comment above moves the code, and changes nothing.\nexport function total() {\n  return 1;\n}\nexport const tax = 3;\n',
    );
    const { code, out, err } = await world.gw(['course', 'check']);
    expect([code, out]).toEqual([1, `${FILE}:23: lesson "Tax": src/cart.ts#tax changed (not committed yet)\n`]);
    expect(err).toContain('gw course check --update');
    world.git('-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '-qam', 'Raise the tax');
    expect((await world.gw(['course', 'check'])).out).toMatch(/changed \([0-9a-f]{7,} Raise the tax\)\n$/);
    put('src/cart.ts', 'export function total() {}\n');
    const { reopened } = JSON.parse((await world.gw(['course', 'check', '--json'])).out) as {
      reopened: { what: string }[];
    };
    expect(reopened.map(({ what }) => what)).toEqual(['changed', 'no symbol']);
    expect((await world.gw(['course', 'check', '--update'])).err).toContain(
      'src/cart.ts#tax is no longer declared there',
    );
  });

  it('names the line of a course that cannot be read', async () => {
    put(FILE, '# a\n## b\ntext\n');
    expect(await world.gw(['course', 'check'])).toMatchObject({
      code: 1,
      err: expect.stringContaining(`${FILE}, line 2: `),
    });
  });

  it('does not read code outside the project', async () => {
    world.write('work/secret.ts', 'export const secret = 1;\n');
    put(FILE, `# The cart\n\n${lesson('Out', '../secret.ts#secret')}`);
    expect((await world.gw(['course', 'check'])).out).toContain('../secret.ts#secret no longer exists');
  });
});

describe('gw course follow and review', () => {
  it('goes through the lessons, keeps what was finished, and repeats it when it is due', async () => {
    await setUp();
    const first = await world.gw(['course', 'follow'], person('', 'y', '', 'q'));
    expect(first.out).toContain('The cart: lesson 1 of 2');
    expect(first.out).toContain('    export function total() {');
    expect(first.out).toContain('That of Total.');
    const second = await world.gw(['course', 'follow'], person('', 'y'));
    expect([second.out.includes('## Total'), second.out.includes('## Tax')]).toEqual([false, true]);
    expect((await world.gw(['course', 'follow'], person())).out).toContain('Every lesson is finished.');
    expect((await world.gw(['course', 'review'])).out).toContain('Nothing is due');
    const due = await world.gw(['course', 'review'], { ...person('', 'y', '', 'n'), now: later(1.5) });
    expect(due.out).toContain('To review:\n  Total: due\n  Tax: due\n');
    expect((await world.gw(['course', 'review'], { now: later(2.9) })).out).toContain('To review:\n  Tax: due\n');
  });

  it('reopens a finished lesson when its code changes', async () => {
    await setUp();
    await world.gw(['course', 'follow'], person('', 'y', '', 'y'));
    put('src/cart.ts', 'export function total() {\n  return 2;\n}\nexport const tax = 2;\n');
    expect((await world.gw(['course', 'review'])).out).toContain('Total: its code changed\n');
    await world.gw(['course', 'check', '--update']);
    expect((await world.gw(['course', 'check'])).out).toContain(
      'src/cart.ts#total changed since you finished the lesson',
    );
    await world.gw(['course', 'review'], person('', 'y'));
    expect((await world.gw(['course', 'check'])).code).toBe(0);
  });

  it('prints the next lesson where nobody can answer, and changes nothing', async () => {
    await setUp();
    const { out } = await world.gw(['course', 'follow']);
    expect([out.includes('## Total'), out.includes('That of Total.'), out.includes('## Tax')]).toEqual([
      true,
      true,
      false,
    ]);
    expect((await world.gw(['course', 'follow'])).out).toBe(out);
  });

  it('leaves a damaged progress file alone', async () => {
    await setUp();
    await world.gw(['course', 'follow'], person('', 'y'));
    const [name] = (await import('node:fs')).readdirSync(join(world.home, '.gateway/courses'));
    const file = join(world.home, '.gateway/courses', name ?? '');
    writeFileSync(file, '{');
    expect((await world.gw(['course', 'follow'])).err).toContain('Repair it, or move it away.');
    expect(readFileSync(file, 'utf8')).toBe('{');
  });
});
