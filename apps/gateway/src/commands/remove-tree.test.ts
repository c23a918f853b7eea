import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeTree, SessionDirectories } from './directories.ts';
import { makeDeep } from './testing/deep.ts';
import { makeWorkdir } from './testing/run.ts';

/** A user without rights, where the test has those of root: nothing is closed to root. */
const NOBODY = 60_999;

let workdir: Awaited<ReturnType<typeof makeWorkdir>>;
beforeEach(async () => {
  workdir = await makeWorkdir();
});
afterEach(() => workdir.remove());

describe('a tree of files', () => {
  it('is removed at any depth, with any names', async () => {
    const tree = join(workdir.path, 'tree');
    mkdirSync(tree);
    makeDeep(tree);
    writeFileSync(Buffer.from(join(tree, 'f\xff'), 'latin1'), 'x');
    symlinkSync(workdir.path, join(tree, 'link'));
    writeFileSync(join(workdir.path, 'canary'), 'x');
    await removeTree(tree);
    expect(readdirSync(workdir.path)).toEqual(['canary']);
  });
  it('is removed where its directories are closed to their owner', async () => {
    const root = process.getuid?.() === 0;
    const tree = join(workdir.path, 'tree');
    mkdirSync(join(tree, 'closed', 'inner'), { recursive: true });
    writeFileSync(join(tree, 'closed', 'inner', 'file'), 'x');
    const inward = [tree, join(tree, 'closed'), join(tree, 'closed', 'inner')];
    if (root) for (const path of [workdir.path, ...inward]) chownSync(path, NOBODY, NOBODY);
    for (const path of inward.toReversed()) chmodSync(path, 0);
    if (root) process.seteuid?.(NOBODY);
    try {
      await removeTree(tree);
    } finally {
      if (root) process.seteuid?.(0);
    }
    expect(readdirSync(workdir.path)).toEqual([]);
  });
  it('that is not there is no fault', async () => {
    await removeTree(join(workdir.path, 'none'));
    expect(readdirSync(workdir.path)).toEqual([]);
  });
});

describe("a session's directory that is hard to remove", () => {
  const OWNER = { subject: 'ada', session: 'deep' };
  it('is removed with the session, including leftovers of an earlier attempt', async () => {
    const directories = new SessionDirectories(workdir.path, async () => {});
    const directory = await directories.open(OWNER);
    makeDeep(directory);
    const left = `${directory}.removed-1-1`;
    mkdirSync(left);
    makeDeep(left);
    await directories.destroy(OWNER);
    expect(readdirSync(workdir.path)).toEqual([]);
  });
  it('is removed at the next start, and never prevents the start', async () => {
    const left = join(workdir.path, `${'a'.repeat(64)}.removed-1-1`);
    mkdirSync(left);
    makeDeep(left);
    await new SessionDirectories(workdir.path, async () => {}).takeUp();
    expect(existsSync(left)).toBe(false);
  });
});
