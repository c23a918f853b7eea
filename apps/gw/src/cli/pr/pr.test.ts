import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeGateway } from '../../testing/fake-gateway.ts';
import { type Change, openWorld, type World } from '../../testing/world.ts';
import { checksIn } from './checks.ts';
import { branchName, requestText } from './message.ts';

/** Of the form of a key, and made up. */
const KEY = ['wJalrXUtnFEMIK7M', 'DENGbPxRfiCYzQWERTYKEY9a'].join('');
let world: World;
let remote: string;
const variables = {
  GIT_AUTHOR_NAME: 'x',
  GIT_AUTHOR_EMAIL: 'x@x',
  GIT_COMMITTER_NAME: 'x',
  GIT_COMMITTER_EMAIL: 'x@x',
};
const git = (...words: readonly string[]): string =>
  execFileSync('git', words, {
    cwd: world.project,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...variables },
  });
const put = (path: string, text: string): void => writeFileSync(join(world.project, path), text);
const refs = (): string =>
  execFileSync('git', ['-C', remote, 'for-each-ref', '--format=%(refname:short) %(contents:subject)'], {
    encoding: 'utf8',
  });

beforeEach(() => {
  world = openWorld();
  remote = join(world.root, 'origin.git');
  git('init', '-q', '-b', 'main');
  put('a.txt', 'alpha\n');
  put('package.json', '{"name":"x","scripts":{"test":"grep -q good a.txt"}}\n');
  put('.gitignore', 'ignored\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'Start');
  execFileSync('git', ['clone', '-q', '--bare', world.project, remote]);
  git('remote', 'add', 'origin', remote);
  git('fetch', '-q', 'origin');
});
afterEach(() => world.close());

const text = (content: string) => ({
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
});
const write = (content: string) => ({
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'c1',
            type: 'function',
            function: { name: 'Write', arguments: JSON.stringify({ file_path: 'b.txt', content }) },
          },
        ],
      },
      finish_reason: 'tool_calls',
    },
  ],
});
/** Runs `gw pr` with a model that gives these answers, the last one again and again. */
async function pr(words: readonly string[], answers: readonly object[], change: Change = {}) {
  const left = [...answers];
  const engine = await fakeGateway(() => ({ status: 200, body: (left.length > 1 ? left.shift() : left[0]) ?? {} }));
  world.write(
    'home/casey/.gateway/config.yaml',
    `name: x\nversion: 1.0.0\nmodels:\n  - name: m\n    model: m\n    apiBase: ${engine.url}/v1\n    apiKey: k\n`,
  );
  const ran = await world.gw(['pr', ...words], { ...change, variables: { ...variables, ...change.variables } });
  return { ...ran, asked: engine.seen.map(({ body }) => body) };
}

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
    expect(failed.err).toContain('no such luck\ngw: npm run --silent test still fails after 2 tries.');
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
    expect([existsSync(join(world.project, 'b.txt')), readFileSync(join(world.project, 'ignored'), 'utf8')]).toEqual([
      false,
      'kept\n',
    ]);
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

  it('commits nothing that looks like a secret', async () => {
    put('a.txt', `good\nAWS_SECRET_ACCESS_KEY=${KEY}\n`);
    const { code, err } = await pr(['--yes'], [text('Any')]);
    expect([code, err.includes('looks like a secret')], err).toEqual([1, true]);
    expect(refs()).toBe('main Start\n');
  });

  it('keeps the files, and comes back to the branch, where a hook of the repository refuses the commit', async () => {
    const hook = join(world.project, '.git/hooks/pre-commit');
    mkdirSync(join(world.project, '.git/hooks'), { recursive: true });
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
    world.write(
      'home/casey/.gateway/config.yaml',
      `name: x\nversion: 1.0.0\nmodels:\n  - name: m\n    model: m\n    apiBase: ${engine.url}/v1\n    apiKey: k\n`,
    );
    const { code, err } = await world.gw(['pr', '--yes'], { variables, interrupted: controller.signal });
    expect([code, git('status', '--porcelain'), existsSync(join(world.project, 'b.txt'))], err).toEqual([
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

describe('the checks of guidelines', () => {
  it('are the commands of the block below the heading', () => {
    const guidelines =
      '# Contributing\n\n```sh\nnot this\n```\n\n## Checks\n\nRun:\n\n```sh\n# first\nnpm run lint   # quick\nnpm test\n```\n\n## More\n\n```sh\nnor this\n```\n';
    expect(checksIn(guidelines)).toEqual(['npm run lint', 'npm test']);
    expect(checksIn('## Checks\n\nThink.\n')).toBeNull();
  });
});

describe('the text of a request', () => {
  it.each([
    ['Fix it\n\nBecause.', 'Fix it', 'Because.'],
    ['<think>hm</think>\n```\n# Subject: "Fix it"\n\nBecause.\n```', 'Fix it', 'Because.'],
    ['', 'Update a.ts and 1 more', ''],
  ])('of %j', (answer, subject, description) => {
    expect(requestText(answer, ['a.ts', 'b.ts'])).toEqual({ subject, description });
  });

  it('cuts a long subject between words, and keeps all of it in the description', () => {
    const { subject, description } = requestText('word '.repeat(30), ['a']);
    expect([subject.length <= 72, subject.endsWith('word…'), description.startsWith('word word')]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('names a branch', () => {
    expect(branchName('Ünïcode: raise the TAX!', 'abc')).toBe('gw/n-code-raise-the-tax-abc');
    expect(branchName('…', 'abc')).toBe('gw/changes-abc');
  });
});
