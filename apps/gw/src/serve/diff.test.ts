import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorld, type World } from '../testing/world.ts';
import { diffOf } from './conversation.ts';

let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const diff = (variables = {}): Promise<string | null> =>
  diffOf(world.context({ variables }).environment, world.project);
/** Lines that were added and removed. */
const changes = (text: string | null): string[] =>
  (text ?? '').split('\n').filter((line) => /^[-+](?![-+]{2} )/.test(line));
function start(): void {
  world.git('init', '-q');
  world.write('work/shop/a.txt', 'one\n');
  world.git('add', '.');
  world.git('commit', '-qm', 'Start');
}

describe('the changes of a project', () => {
  it('are null without a repository, and without git', async () => {
    expect(await diff()).toBeNull();
    start();
    expect(await diff({ PATH: world.root })).toBeNull();
  });

  it('are empty where nothing changed', async () => {
    start();
    expect(await diff()).toBe('');
  });

  it('before the first commit are all files', async () => {
    world.git('init', '-q');
    world.write('work/shop/new.txt', 'new\n');
    expect(changes(await diff())).toEqual(['+new']);
  });

  it('are those of the branch since it left the main branch, with commits, staged and untracked files', async () => {
    start();
    world.git('switch', '-qc', 'work');
    world.write('work/shop/committed.txt', 'committed\n');
    world.git('add', '.');
    world.git('commit', '-qm', 'Work');
    world.git('switch', '-q', 'main');
    world.write('work/shop/of-main.txt', 'of main\n');
    world.git('add', '.');
    world.git('commit', '-qm', 'On main');
    world.git('switch', '-q', 'work');
    world.write('work/shop/staged.txt', 'staged\n');
    world.git('add', '.');
    world.write('work/shop/sub/untracked é.txt', 'untracked\n');
    world.write('work/shop/a.txt', 'two\n');
    const text = await diff();
    expect(changes(text).toSorted()).toEqual(['+committed', '+staged', '+two', '+untracked', '-one'].toSorted());
    expect(text).toContain('untracked é.txt');
    expect(text).not.toContain('of-main');
  });

  it('leave out what git ignores, and show files that are gone', async () => {
    start();
    world.write('work/shop/.gitignore', 'secret.env\n');
    world.write('work/shop/secret.env', 'KEY=1\n');
    rmSync(join(world.project, 'a.txt'));
    expect(changes(await diff())).toEqual(['+secret.env', '-one']);
  });

  it('leave the index as it is', async () => {
    start();
    world.write('work/shop/new.txt', 'new\n');
    world.write('work/shop/a.txt', 'two\n');
    const index = join(world.project, '.git', 'index');
    const before = readFileSync(index);
    expect(changes(await diff())).toEqual(['-one', '+two', '+new']);
    expect(readFileSync(index).equals(before)).toBe(true);
  });

  it('are the same in a work tree of its own, whose index is elsewhere', async () => {
    start();
    world.git('worktree', 'add', '-q', '../tree', '-b', 'tree');
    world.write('work/tree/new.txt', 'new\n');
    const text = await diffOf(world.context().environment, join(world.root, 'work', 'tree'));
    expect(changes(text)).toEqual(['+new']);
  });

  it('name a binary file without its bytes', async () => {
    start();
    world.write('work/shop/image.bin', Buffer.from([0, 1, 2, 255]));
    expect(await diff()).toMatch(/Binary files .*image\.bin differ/);
  });
});
