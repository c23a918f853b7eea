import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorld, type RunOptions, type World } from '../../testing/world.ts';

let world: World;
beforeEach(() => {
  world = openWorld();
  put('src/cart.ts', 'export function total() {\n  return 1;\n}\n');
});
afterEach(() => world.close());

const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(world.project, path)), { recursive: true });
  writeFileSync(join(world.project, path), text);
};
/** A person in a terminal who gives these answers; `asked` has the questions. */
const person = (...answers: readonly (string | null)[]) => {
  const [left, asked]: [(string | null)[], string[]] = [[...answers], []];
  const ask = async (question: string): Promise<string | null> => {
    asked.push(question);
    return left.shift() ?? null;
  };
  const change: RunOptions = { terminal: { input: true, output: true, ask } };
  return { change, asked };
};
const COURSE = '# The cart\n\nWelcome.\n';
const lesson = (title: string, code = 'src/cart.ts'): string =>
  `\n## ${title}\n\n<!-- code: ${code} -->\n\nText of ${title}.\n`;
const EXERCISE = '\n### Exercise\n\nWhat?\n\n<details><summary>Answer</summary>\n\nTHE ANSWER\n\n</details>\n';
const follow = (...answers: readonly (string | null)[]) => {
  const { change, asked } = person(...answers);
  return world.gw(['course', 'follow'], change).then((ran) => ({ ...ran, asked }));
};

describe('a lesson', () => {
  it('is shown with the introduction at the beginning, and its code', async () => {
    put('docs/course/cart.md', COURSE + lesson('Total', 'src/cart.ts#total') + lesson('Whole'));
    const { out, asked } = await follow('y', 'q');
    expect(out).toContain('The cart: lesson 1 of 2\n\nWelcome.\n\n## Total\n\nText of Total.\n\nsrc/cart.ts:1\n');
    expect(out).toContain('    export function total() {\n      return 1;\n    }\n');
    // A whole file is named, not shown.
    expect(out).toMatch(/lesson 2 of 2\n\n## Whole\n\nText of Whole\.\n\nsrc\/cart\.ts:1\n\n/);
    expect(out.split('Welcome.')).toHaveLength(2);
    expect(asked).toEqual(['Finished? [Y/n/q] ', 'Finished? [Y/n/q] ']);
  });

  it('with long code shows its beginning, and how much more there is', async () => {
    put('src/long.ts', `export function long() {\n${'  step();\n'.repeat(100)}}\n`);
    put('docs/course/a.md', COURSE + lesson('Long', 'src/long.ts#long'));
    const { out } = await follow('q');
    expect(out.match(/^ {4}.*step/gm)).toHaveLength(39);
    expect(out).toContain('    … 62 more lines\n');
  });

  it('whose code is gone says so, and can be read nevertheless', async () => {
    put('docs/course/a.md', COURSE + lesson('Gone', 'src/gone.ts#x'));
    const { code, out } = await follow('q');
    expect([code, out.includes('src/gone.ts#x: no file')]).toEqual([0, true]);
  });

  it('cannot steer the terminal, by its text or by its code', async () => {
    put('src/cart.ts', 'export const total = "\x1b]0;owned\x07";\n');
    put('docs/course/a.md', COURSE + lesson('Evil\x1b[2J', 'src/cart.ts#total'));
    const { out } = await follow('q');
    expect(out).toContain('## Evil\n');
    expect(out).not.toContain('\x1b');
    expect((await world.gw(['course', 'check'])).out).not.toContain('\x1b');
  });

  it('hides the answer of its exercise until it is asked for', async () => {
    put('docs/course/a.md', COURSE + lesson('Ask') + EXERCISE);
    const { out, asked } = await follow(null);
    expect(out).toContain('Exercise\n\nWhat?');
    expect(out).not.toContain('THE ANSWER');
    expect(asked).toEqual(['Enter shows the answer. ']);
    expect((await follow('', 'q')).out).toContain('THE ANSWER');
  });
});

describe('the progress', () => {
  const two = (): void => put('docs/course/a.md', COURSE + lesson('One') + lesson('Two'));

  it.each([
    ['y', false],
    ['', false],
    ['Yes', false],
    ['n', true],
    ['no', true],
    ['q', true],
    [null, true],
  ])('of a lesson that is answered with %j: shown again %j', async (answer, again) => {
    two();
    await follow(answer, 'q');
    expect((await follow('q')).out.includes('## One')).toBe(again);
  });

  it('goes through the lessons of every course in the order of their files', async () => {
    put('docs/course/b.md', COURSE.replace('cart', 'second') + lesson('Of b'));
    put('docs/course/a.md', COURSE.replace('cart', 'first') + lesson('Of a'));
    put('.gateway/courses/c.md', COURSE.replace('cart', 'own') + lesson('Of c'));
    const { out } = await follow('y', 'y', 'y');
    const titles = [...out.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
    expect(titles).toEqual(['Of a', 'Of b', 'Of c']);
    expect((await follow()).out).toBe('Every lesson is finished. gw course review repeats them.\n');
  });

  it('is that of this project: another one begins at the start', async () => {
    two();
    await follow('y', 'y');
    const folder = join(world.root, 'elsewhere');
    mkdirSync(join(folder, 'docs/course'), { recursive: true });
    writeFileSync(join(folder, 'docs/course/a.md'), COURSE + lesson('One'));
    const { change } = person('q');
    const { out } = await world.gw(['course', 'follow'], { ...change, environment: { workingDirectory: folder } });
    expect(out).toContain('## One');
  });

  it('of one course is kept where another one is followed by its path', async () => {
    two();
    put('docs/course/b.md', COURSE + lesson('Other'));
    await follow('y', 'y', 'y');
    const { change } = person('q');
    expect((await world.gw(['course', 'review', 'docs/course/b.md'], change)).out).toBe(
      'Nothing is due, and no finished lesson changed.\n',
    );
  });

  it('counts what changed since the person finished the lesson, also where its authors did not revise it', async () => {
    put('docs/course/a.md', COURSE + lesson('One', 'src/cart.ts#total'));
    await world.gw(['course', 'check', '--update']);
    put('src/cart.ts', 'export function total() {\n  return 2;\n}\n');
    await follow('y');
    expect((await follow()).out).toBe('Every lesson is finished. gw course review repeats them.\n');
    expect((await world.gw(['course', 'check'])).code).toBe(1);
    put('src/cart.ts', 'export function total() {\n  return 3;\n}\n');
    expect((await follow('y')).out).toContain('lesson 1 of 1, reopened: its code changed');
    put('src/cart.ts', 'export const other = 1;\n');
    expect((await follow('y')).out).toContain('lesson 1 of 1, reopened: its code changed');
    expect((await follow()).out).toContain('Every lesson is finished.');
  });

  it('of a person without a home directory is an error that says what to do', async () => {
    two();
    const { change } = person('y');
    const ran = await world.gw(['course', 'follow'], { ...change, environment: { homeDirectory: null } });
    expect([ran.code, ran.err]).toEqual([
      1,
      'gw: The progress cannot be kept: you have no home directory. Set HOME.\n',
    ]);
  });
});

describe('a review', () => {
  it('asks whether the lesson was remembered, and shows a forgotten one again the next day', async () => {
    put('docs/course/a.md', COURSE + lesson('One'));
    await follow('y');
    const at = (days: number): Date => new Date(Date.parse('2026-11-21T09:30:00.123Z') + days * 86_400_000);
    const { change, asked } = person('n');
    const { out } = await world.gw(['course', 'review'], { ...change, now: at(2) });
    expect(out).toContain('To review:\n  One: due\n');
    expect(asked).toEqual(['Did you remember it? [Y/n/q] ']);
    expect((await world.gw(['course', 'review'], { now: at(2.1) })).out).toContain('Nothing is due');
    expect((await world.gw(['course', 'review'], { now: at(3.1) })).out).toContain('One: due');
  });
});
