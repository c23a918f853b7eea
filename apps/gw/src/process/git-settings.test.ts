import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorld, type World } from '../testing/world.ts';
import { programOfRepository } from './git-settings.ts';

let world: World;
beforeEach(() => {
  world = openWorld();
  git('init', '-q');
  world.write('work/shop/a.txt', 'one\n');
  git('add', 'a.txt');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-qm', 'one');
});
afterEach(() => world.close());

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: world.project, encoding: 'utf8', env: { ...process.env, HOME: world.home } });
const started = (): Promise<string | null> =>
  programOfRepository('git', world.project, {
    variables: new Map(Object.entries({ PATH: process.env['PATH'] ?? '', HOME: world.home })),
    homeDirectory: world.home,
    workingDirectory: world.project,
    userName: 'casey',
    userId: null,
  });

describe('what a repository has git start', () => {
  it('is nothing after a clone, with the settings that people have', async () => {
    git('config', 'core.fsmonitor', 'true');
    git('config', 'core.hooksPath', '.husky');
    git('config', 'core.sshCommand', 'ssh -i key');
    git('config', 'filter.lfs.process', 'git-lfs filter-process');
    git('config', 'filter.lfs.clean', 'git-lfs clean -- %f');
    git('config', '--global', 'diff.external', 'difft');
    expect(await started()).toBeNull();
  });

  it('is what one of its own settings names', async () => {
    for (const name of ['core.fsmonitor', 'diff.external', 'diff.x.textconv', 'filter.a=b.clean', 'gpg.program']) {
      git('config', name, './run');
      expect(await started()).toBe(`The setting ${name} of this repository starts a program.`);
      git('config', '--unset', name);
    }
  });

  it('is what a partial clone fetches with', async () => {
    git('config', 'core.sshCommand', './run');
    git('config', 'remote.origin.promisor', 'true');
    expect(await started()).toContain('core.sshcommand');
  });

  it('is a hook that runs when git only reads, also one that the project has', async () => {
    const mark = join(world.root, 'mark');
    world.write('work/shop/.husky/post-index-change', `#!/bin/sh\ntouch ${mark}\n`, 0o755);
    expect(await started()).toBeNull();
    git('config', 'core.hooksPath', '.husky');
    expect(await started()).toBe('The hook post-index-change of this repository is a program.');
    expect(existsSync(mark)).toBe(false);
    utimesSync(join(world.project, 'a.txt'), 1, 1); // git reads it again, and writes its index
    git('diff');
    expect(existsSync(mark)).toBe(true);
    rmSync(join(world.project, '.husky'), { recursive: true });
    expect(await started()).toBeNull();
  });

  it('is what a submodule names, at any depth', async () => {
    const inside = join(world.project, 'lib', 'deep');
    execFileSync('git', ['init', '-q', 'lib'], { cwd: world.project });
    execFileSync('git', ['init', '-q', 'deep'], { cwd: join(world.project, 'lib') });
    for (const folder of [inside, join(world.project, 'lib'), world.project]) {
      if (folder !== inside)
        execFileSync('git', ['-c', 'advice.addEmbeddedRepo=false', 'add', '.'], { cwd: folder, stdio: 'ignore' });
      const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
      execFileSync('git', [...who, 'commit', '-qm', 'one', '--allow-empty'], { cwd: folder });
    }
    expect(await started()).toBeNull();
    const mark = join(world.root, 'mark');
    world.write('work/shop/run', `#!/bin/sh\ntouch ${mark}\n`, 0o755);
    execFileSync('git', ['config', 'core.fsmonitor', join(world.project, 'run')], { cwd: inside });
    git('status');
    expect(existsSync(mark)).toBe(true);
    rmSync(mark);
    expect(await started()).toBe(
      'In the submodule lib: In the submodule deep: The setting core.fsmonitor of this repository starts a program.',
    );
    expect(existsSync(mark)).toBe(false);
  });

  it('is not looked for where there is no repository', async () => {
    rmSync(join(world.project, '.git'), { recursive: true });
    expect(await started()).toBeNull();
  });
});
