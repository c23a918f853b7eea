import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judge, rulesOf } from './testing/rules.ts';

let project: string;
beforeAll(() => {
  project = mkdtempSync(join(realpathSync(tmpdir()), 'gw-checkout-'));
  mkdirSync(join(project, 'src/deep'), { recursive: true });
  for (const file of ['Makefile', 'src/deep/LICENSE']) writeFileSync(join(project, file), 'changed');
});
afterAll(() => rmSync(project, { recursive: true }));
const decisionOn = async (command: string): Promise<string> =>
  (await judge('Bash', command, rulesOf('--allow Bash'), 'normal', project)).decision;

describe('git checkout of a file or a directory that exists discards its changes, so that it asks', () => {
  it.each([
    'git checkout Makefile',
    'git checkout -q src',
    'git checkout src/deep/LICENSE',
    'cd src && git checkout deep',
    'git -C src checkout deep',
    'git -C src -C deep checkout LICENSE',
    'env git checkout Makefile',
    'true; git checkout "Make"file',
    'git checkout $X',
    'git -C $X checkout src',
  ])('%s', async (command) => {
    expect(await decisionOn(command)).toBe('ask');
  });
});

describe('git checkout of a branch does not ask', () => {
  it.each([
    'git checkout main',
    'git checkout feature/x',
    'git checkout -',
    'git checkout -b src',
    'git checkout -qb src',
    'git checkout --orphan src',
    'git checkout --detach src',
    'cd src && git checkout Makefile-branch',
    'git -C src checkout topic',
  ])('%s', async (command) => {
    expect(await decisionOn(command)).toBe('allow');
  });
});
