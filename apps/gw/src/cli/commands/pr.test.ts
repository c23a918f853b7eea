import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { fakeGateway } from '../../testing/fake-gateway.ts';
import { prSuite, text, VARIABLES, write } from './testing/pr-suite.ts';

vi.setConfig({ testTimeout: 120_000 }); // dozens of processes of git in each test

/** Of the form of a key, and made up. */
const KEY = ['wJalrXUtnFEMIK7M', 'DENGbPxRfiCYzQWERTYKEY9a'].join('');
const { world, git, put, refs, configure, pr } = prSuite();

describe('gw pr', () => {
  it('pushes a branch of its own, with the message of the model, and never the base', async () => {
    put('a.txt', 'good\n');
    const { code, out, err } = await pr(['--yes'], [text('Say good things\n\nBecause they are.')]);
    expect(code, err).toBe(0);
    expect(refs()).toMatch(/^gw\/say-good-things-[0-9a-f]{6} Say good things\nmain Start\n$/);
    expect(out).toContain('+good');
    expect(out).toContain('Open a request from gw/say-good-things-');
    expect(git('status', '--porcelain')).toBe('');
  });

  it('stays on a branch that is not protected, and pushes new commits to it', async () => {
    git('switch', '-q', '-c', 'work');
    put('a.txt', 'good\n');
    git('commit', '-qam', 'Mine');
    expect((await pr(['--yes'], [text('Any')])).code).toBe(0);
    expect(refs()).toBe('main Start\nwork Mine\n');
  });

  it('has the model fix what a check finds, and gives up after --max-retries', async () => {
    put('package.json', '{"name":"x","scripts":{"test":"test -f b.txt"}}\n');
    const fixed = await pr(['--yes'], [write('b\n'), text('Done.'), text('Add b')]);
    expect(fixed.code, fixed.err).toBe(0);
    expect(fixed.asked[0]).toContain('npm run --silent test');
    expect(refs()).toContain('Add b');
    put('package.json', '{"name":"x","scripts":{"test":"echo no such luck; exit 3"}}\n');
    const failed = await pr(['--yes', '--max-retries', '2'], [text('I cannot.')]);
    expect([failed.code, failed.asked.length]).toEqual([1, 2]);
    expect(failed.err).toContain('no such luck\n[exit code 3]\ngw: npm run --silent test still fails after 2 tries.');
  });

  it('leaves everything as it was with --dry-run', async () => {
    put('package.json', '{"name":"x","scripts":{"test":"test -f b.txt"}}\n');
    put('new.txt', 'new\n');
    git('add', 'new.txt');
    put('ignored', 'kept\n');
    const before = [git('status', '--porcelain'), refs()];
    const { code, out } = await pr(['--dry-run'], [write('b\n'), text('Done.'), text('Add b')]);
    expect([code, out.startsWith('Add b\n'), out.includes('+new')]).toEqual([0, true, true]);
    expect([git('status', '--porcelain'), refs()]).toEqual(before);
    expect([
      existsSync(join(world().project, 'b.txt')),
      readFileSync(join(world().project, 'ignored'), 'utf8'),
    ]).toEqual([false, 'kept\n']);
    expect(git('branch', '--format=%(refname:short)')).toBe('main\n');
  });

  it('commits nothing where the person does not say yes', async () => {
    put('a.txt', 'good\n');
    const { code, err } = await pr([], [text('Any')], {
      terminal: { input: true, error: true, ask: async () => 'no' },
    });
    expect([code, err.includes('nothing was committed or pushed')]).toEqual([0, true]);
    expect(refs()).toBe('main Start\n');
  });

  it('runs a check only where a rule or the person allows it, whatever --yes says', async () => {
    put('package.json', '{"name":"x","scripts":{"test":"touch ran"}}\n');
    const ran = () => existsSync(join(world().project, 'ran'));
    world().write('work/shop/.gateway/config.yaml', 'permissions: { ask: [Bash] }\n');
    const denied = await pr(['--yes'], [text('Any')]);
    expect([denied.code, ran(), refs()], denied.err).toEqual([3, false, 'main Start\n']);
    expect(denied.err).toContain('The check npm run --silent test was not run.');
    expect([(await pr(['--dry-run'], [text('Any')])).code, ran()]).toEqual([0, false]);
    const asked: string[] = [];
    const terminal = (answer: string) => ({
      input: true,
      error: true,
      ask: async (question: string) => {
        asked.push(question);
        return answer;
      },
    });
    expect((await pr(['--yes'], [text('Any')], { terminal: terminal('n') })).code).toBe(3);
    expect([asked.length, asked[0], ran()]).toEqual([1, expect.stringContaining('npm run --silent test'), false]);
    expect((await pr(['--yes'], [text('Any')], { terminal: terminal('y') })).code).toBe(0);
    expect(ran()).toBe(true);
  });

  it('gives checks no variable that looks like a secret', async () => {
    put('package.json', '{"name":"x","scripts":{"test":"env > seen"}}\n');
    const variables = { GITHUB_TOKEN: 'one', DB: 'postgres://casey:two@db/x', PLAIN: KEY, COLOUR: 'blue' };
    const { code, err } = await pr(['--yes'], [text('Any')], { variables });
    expect(code, err).toBe(0);
    const seen = readFileSync(join(world().project, 'seen'), 'utf8');
    expect(seen).toContain('COLOUR=blue');
    expect(seen).not.toMatch(/GITHUB_TOKEN|casey:two|PLAIN/);
  });

  it('commits nothing that looks like a secret', async () => {
    put('a.txt', `good\nAWS_SECRET_ACCESS_KEY=${KEY}\n`);
    const { code, err } = await pr(['--yes'], [text('Any')]);
    expect([code, err.includes('looks like a secret')], err).toEqual([1, true]);
    expect(refs()).toBe('main Start\n');
  });

  it('keeps the files, and comes back to the branch, where a hook of the repository refuses the commit', async () => {
    const hook = join(world().project, '.git/hooks/pre-commit');
    mkdirSync(join(world().project, '.git/hooks'), { recursive: true });
    writeFileSync(hook, '#!/bin/sh\necho not today >&2\nexit 1\n');
    chmodSync(hook, 0o755);
    put('a.txt', 'good\n');
    const { code, err } = await pr(['--yes'], [text('Any')]);
    expect(
      [code, err.includes('not today'), git('branch', '--show-current'), git('status', '--porcelain')],
      err,
    ).toEqual([1, true, 'main\n', ' M a.txt\n']);
  });

  it('restores the work tree when it is interrupted', async () => {
    put('package.json', '{"name":"x","scripts":{"test":"test -f b.txt"}}\n');
    const controller = new AbortController();
    const before = git('status', '--porcelain');
    const left = [write('b\n'), text('Done.')];
    const engine = await fakeGateway(() => {
      const next = left.shift();
      if (next === undefined) controller.abort();
      return next === undefined ? 'cut' : { status: 200, body: next };
    });
    configure(engine.url);
    const { code, err } = await world().gw(['pr', '--yes'], {
      variables: VARIABLES,
      interrupted: controller.signal,
    });
    expect([code, git('status', '--porcelain'), existsSync(join(world().project, 'b.txt'))], err).toEqual([
      130,
      before,
      false,
    ]);
  });

  it.each([
    [['--yes'], 2, 'There is nothing to request'],
    [['--yes', '--base-branch', 'nowhere'], 2, 'nowhere'],
    [['--yes', '--guidelines', 'none.md'], 2, 'none.md cannot be read'],
    [[], 2, 'there is no terminal to ask on'],
  ] as const)('%j is refused', async (words, code, message) => {
    const ran = await pr(words, [text('Any')]);
    expect([ran.code, ran.err.includes(message)], ran.err).toEqual([code, true]);
  });
});
