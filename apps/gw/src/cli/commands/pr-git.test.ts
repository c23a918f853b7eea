import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeGateway } from '../../testing/fake-gateway.ts';
import { prSuite, text, VARIABLES, write } from './testing/pr-suite.ts';

vi.setConfig({ testTimeout: 120_000 }); // dozens of processes of git in each test

const { world, git, put, refs, remote, configure, pr } = prSuite();

/** A program of this name on the path, that writes its arguments to a file and then does this. */
function program(name: string, script: string): { readonly PATH: string } {
  world().write(`bin/${name}`, `#!/bin/sh\nprintf '%s\\n' "$@" > ${join(world().root, 'args')}\n${script}\n`, 0o755);
  return { PATH: `${join(world().root, 'bin')}:${process.env['PATH'] ?? ''}` };
}
const args = (): string[] => readFileSync(join(world().root, 'args'), 'utf8').split('\n');
const good = (): void => put('a.txt', 'good\n');

beforeEach(() => {
  // No check, unless the test has one: starting npm takes longer than the rest.
  put('package.json', '{"name":"x"}\n');
  git('commit', '-qam', 'Start');
  git('push', '-q', 'origin', 'main');
});

describe('the request', () => {
  it('is opened with gh, whose answer is printed', async () => {
    good();
    const variables = program('gh', 'echo https://github.com/acme/shop/pull/7');
    const { code, out, err } = await pr(['--yes'], [text('Say good things\n\nBecause.')], { variables });
    expect(code, err).toBe(0);
    expect(out.trimEnd().split('\n').at(-1)).toBe('https://github.com/acme/shop/pull/7');
    expect(args().slice(0, 3)).toEqual(['pr', 'create', '--head']);
    expect(args().slice(4, 10)).toEqual(['--base', 'main', '--title', 'Say good things', '--body', 'Because.']);
  });

  it('is opened with glab where the remote is a GitLab', async () => {
    good();
    const gitlab = join(world().root, 'gitlab-of-the-tests.git');
    execFileSync('git', ['clone', '-q', '--bare', remote(), gitlab]);
    git('remote', 'set-url', 'origin', gitlab);
    const variables = program('glab', 'echo https://gitlab.example/shop/-/merge_requests/1');
    const { out } = await pr(['--yes'], [text('Say good things')], { variables });
    expect(out).toContain('merge_requests/1\n');
    expect(args().slice(0, 3)).toEqual(['mr', 'create', '--source-branch']);
  });

  it('that the program cannot open is left to the person, with its reason, and the branch is pushed', async () => {
    good();
    const variables = program('gh', 'echo "not logged in" >&2; exit 4');
    const { code, out, err } = await pr(['--yes'], [text('Say good things')], { variables });
    expect([code, err.includes('gw pr: gh pr failed: not logged in\n')], err).toEqual([0, true]);
    expect(out).toMatch(/Open a request from gw\/say-good-things-\S+ to main with this title and description:/);
    expect(refs()).toContain('Say good things');
  });

  it('without a remote says how to push, and the commit is there', async () => {
    good();
    git('remote', 'remove', 'origin');
    const { code, out } = await pr(['--yes'], [text('Say good things')]);
    expect(code).toBe(0);
    expect(out).toMatch(
      /Add a remote: git remote add origin <address>\nPush the branch: git push --set-upstream origin gw\/say-/,
    );
    expect(git('log', '-1', '--format=%s')).toBe('Say good things\n');
  });

  it('shows no password of the remote', async () => {
    good();
    git('config', `url.${remote()}.insteadOf`, 'https://casey:PASSWORD@gateway.example/shop.git');
    git('remote', 'set-url', 'origin', 'https://casey:PASSWORD@gateway.example/shop.git');
    const { code, out, err } = await pr(['--yes'], [text('Say good things')]);
    expect(code, err).toBe(0);
    expect(out + err).not.toContain('PASSWORD');
  });

  it('is never opened where the remote refuses the push; the commit stays on its branch', async () => {
    good();
    const hook = join(remote(), 'hooks', 'pre-receive');
    writeFileSync(hook, '#!/bin/sh\necho only on Mondays >&2\nexit 1\n');
    chmodSync(hook, 0o755);
    const variables = program('gh', 'exit 0');
    const { code, err } = await pr(['--yes'], [text('Say good things')], { variables });
    expect(code).toBe(1);
    expect(err).toContain('git push failed:');
    expect(existsSync(join(world().root, 'args'))).toBe(false);
    expect(git('branch', '--show-current')).toMatch(/^gw\/say-good-things-/);
    expect(git('log', '-1', '--format=%s')).toBe('Say good things\n');
    expect(refs()).toBe('main Start\n');
  });
});

describe('where gw pr begins', () => {
  it('may be no branch at all: the commit gets one', async () => {
    git('checkout', '-q', '--detach');
    good();
    const { code, err } = await pr(['--yes'], [text('Say good things')]);
    expect(code, err).toBe(0);
    expect(refs()).toContain('Say good things');
  });

  it.each([
    ['merge', ['merge', 'other'], 'A merge is in progress here.'],
    ['cherry-pick', ['cherry-pick', 'other'], 'A cherry-pick is in progress here.'],
    ['rebase', ['rebase', 'other'], 'A rebase is in progress here.'],
  ] as const)('may not be within a %s', async (_, command, message) => {
    git('switch', '-qc', 'other');
    put('a.txt', 'other\n');
    git('commit', '-qam', 'Other');
    git('switch', '-q', 'main');
    put('a.txt', 'mine\n');
    git('commit', '-qam', 'Mine');
    expect(() => git(...command)).toThrow('Command failed');
    const before = git('status', '--porcelain');
    const { code, err } = await pr(['--yes'], [text('Any')]);
    expect([code, err.includes(message)], err).toEqual([1, true]);
    expect(git('status', '--porcelain')).toBe(before);
  });

  it('must be a repository, and needs git', async () => {
    const none = await pr(['--yes'], [text('Any')], { variables: { PATH: world().root } });
    expect([none.code, none.err]).toEqual([2, 'gw: gw pr needs the program git. Install it.\n']);
    const outside = await pr(['--yes'], [text('Any')], { environment: { workingDirectory: world().home } });
    expect([outside.code, outside.err]).toEqual([2, 'gw: gw pr works in a git repository, and there is none here.\n']);
  });

  it('a branch of another name is compared with, and never pushed to', async () => {
    git('switch', '-qc', 'develop');
    git('push', '-q', 'origin', 'develop');
    git('fetch', '-q', 'origin');
    good();
    const { code, out, err } = await pr(['--yes', '--base-branch', 'origin/develop'], [text('Say good things')]);
    expect(code, err).toBe(0);
    expect(out).toMatch(/ to develop with this title/);
    expect(refs()).toMatch(/^develop Start\ngw\/say-good-things-\S+ Say good things\nmain Start\n$/);
  });
});

describe('the model of gw pr', () => {
  it('follows the guidelines, and runs their checks instead of those that were detected', async () => {
    put('CONTRIBUTING.md', '# Rules\n\nBe brief.\n\n## Checks\n\n```sh\ntest -f a.txt # quick\n```\n');
    const { code, err, asked } = await pr(['--yes'], [text('Add rules')]);
    expect(code, err).toBe(0);
    expect(err).toContain('gw pr: check: test -f a.txt\n');
    expect(err).not.toContain('npm run');
    expect(asked[0]).toContain('Be brief.');
  });

  it('and the files show a person what they hide from a terminal, and a pipe the raw text', async () => {
    put('a.txt', 'good\x1b[8m hidden\x1b[0m\u202e\n');
    const answer = [text('Say good\x1b]0;title\x07 things')];
    const piped = await pr(['--dry-run'], answer);
    expect(piped.out).toContain('+good\x1b[8m hidden');
    let out = '';
    const terminal = { output: true, write: async (shown: string) => void (out += shown) };
    await pr(['--dry-run'], answer, { terminal });
    expect(out).toContain('+good<U+001B>[8m hidden<U+001B>[0m<U+202E>\n');
    expect(out).toContain('Say good<U+001B>]0;title<U+0007> things');
  });

  it('says that there are no checks', async () => {
    good();
    const { err } = await pr(['--yes'], [text('Say good things')]);
    expect(err).toContain('gw pr: the guidelines name no checks and none were detected: none are run.');
  });

  it('that refuses or fails ends it before the commit, with the exit code of the refusal', async () => {
    good();
    for (const [status, exit] of [
      [403, 4],
      [500, 1],
    ] as const) {
      const engine = await fakeGateway(() => ({ status, body: { error: 'No plan assigned.' } }));
      configure(engine.url);
      const { code, err } = await world().gw(['pr', '--yes'], { variables: VARIABLES });
      expect([code, err.includes('No plan assigned.')], err).toEqual([exit, true]);
    }
    expect([refs(), git('status', '--porcelain')]).toEqual(['main Start\n', ' M a.txt\n']);
  });

  it('sees no secret of a failing check, and neither does the person', async () => {
    const [begin, end] = ['wJalrXUtnFEMIK7M', 'DENGbPxRfiCYzQWERTYKEY9a'];
    put('CONTRIBUTING.md', '# Checks\n```\nsh check.sh\n```\n');
    put('check.sh', `begin=${begin}; end=${end}; echo AWS_SECRET_ACCESS_KEY=$begin$end; exit 1\n`);
    git('add', '-A');
    const { code, err, asked } = await pr(['--yes', '--max-retries', '1'], [text('I cannot.')]);
    expect(code).toBe(1);
    expect(err).toContain('still fails after 1 try.');
    expect(asked.join('') + err).not.toContain(begin + end);
    expect(err).toContain('AWS_SECRET_ACCESS_KEY=');
  });

  it('may change files with --dry-run, which are as before afterwards; an index that was staged, too', async () => {
    put('CONTRIBUTING.md', '# Checks\n```\ntest -f b.txt\n```\n');
    put('a.txt', 'staged\n');
    git('add', 'a.txt');
    put('a.txt', 'not staged\n');
    const before = [git('diff', '--cached'), git('diff')];
    const { code, err } = await pr(['--dry-run'], [write('b\n'), text('Done.'), text('Add b')]);
    expect(code, err).toBe(0);
    expect(err).toContain('--dry-run: nothing was committed or pushed, and the work tree is as it was.');
    expect([git('diff', '--cached'), git('diff')]).toEqual(before);
  });
});
