import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { fakeGateway } from '../../../testing/fake-gateway.ts';
import { openWorld, type Ran, type RunOptions, type World } from '../../../testing/world.ts';

export const VARIABLES = {
  GIT_AUTHOR_NAME: 'x',
  GIT_AUTHOR_EMAIL: 'x@x',
  GIT_COMMITTER_NAME: 'x',
  GIT_COMMITTER_EMAIL: 'x@x',
};

/** A repository whose check passes where a.txt says `good`, and a bare one as its origin. */
export interface PrSuite {
  readonly world: () => World;
  /** Runs git in the project. */
  readonly git: (...args: readonly string[]) => string;
  /** Writes a file of the project. */
  readonly put: (path: string, text: string) => void;
  /** What origin has: each branch with the subject of its last commit. */
  readonly refs: () => string;
  readonly remote: () => string;
  /** A configuration with a model at this address. */
  readonly configure: (url: string) => void;
  /** Runs `gw pr` with a model that gives these answers, the last one again and again. */
  readonly pr: (
    args: readonly string[],
    answers: readonly object[],
    change?: RunOptions,
  ) => Promise<Ran & { readonly asked: readonly string[] }>;
}

/** Gives each test of the file a repository of its own. */
export function prSuite(): PrSuite {
  let world: World;
  const inProject = (path: string): string => join(world.project, path);
  const remote = (): string => join(world.root, 'origin.git');
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, {
      cwd: world.project,
      encoding: 'utf8',
      stdio: 'pipe',
      env: { PATH: process.env['PATH'], ...VARIABLES },
    });
  const put = (path: string, text: string): void => writeFileSync(inProject(path), text);
  const configure = (url: string): void => {
    world.write(
      'home/casey/.gateway/config.yaml',
      `name: x\nversion: 1.0.0\nmodels:\n  - name: m\n    model: m\n    apiBase: ${url}/v1\n    apiKey: k\npermissions:\n  allow: [Bash]\n`,
    );
  };
  beforeEach(() => {
    world = openWorld();
    git('init', '-q', '-b', 'main');
    put('a.txt', 'alpha\n');
    put('package.json', '{"name":"x","scripts":{"test":"grep -q good a.txt"}}\n');
    put('.gitignore', 'ignored\n');
    git('add', '-A');
    git('commit', '-q', '-m', 'Start');
    execFileSync('git', ['clone', '-q', '--bare', world.project, remote()]);
    git('remote', 'add', 'origin', remote());
    git('fetch', '-q', 'origin');
  });
  afterEach(() => world.close());
  return {
    world: () => world,
    git,
    put,
    remote,
    configure,
    refs: () =>
      execFileSync('git', ['-C', remote(), 'for-each-ref', '--format=%(refname:short) %(contents:subject)'], {
        encoding: 'utf8',
      }),
    async pr(args, answers, change = {}) {
      const left = [...answers];
      const engine = await fakeGateway(() => ({ status: 200, body: (left.length > 1 ? left.shift() : left[0]) ?? {} }));
      configure(engine.url);
      const ran = await world.gw(['pr', ...args], { ...change, variables: { ...VARIABLES, ...change.variables } });
      return { ...ran, asked: engine.seen.map(({ body }) => body) };
    },
  };
}

/** An answer of the model in text. */
export function text(content: string): object {
  return { choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }] };
}

/** An answer of the model that writes b.txt. */
export function write(content: string): object {
  const call = { name: 'Write', arguments: JSON.stringify({ file_path: 'b.txt', content }) };
  const message = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: call }],
  };
  return { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] };
}
