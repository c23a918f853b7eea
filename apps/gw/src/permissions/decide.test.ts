import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Mode } from '../agent/types/index.ts';
import { sessionApprovals } from './approvals.ts';
import { locate } from './bash/locate.ts';
import { parseLine } from './bash/parse-line.ts';
import { approvalsOf } from './decide-command.ts';
import { approvalKey, createPermissions, decide } from './permissions.ts';
import { type Call, parseRule, type RuleSet } from './rule.ts';
import { judge, rule, rulesOf } from './testing/rules.ts';

let project: string;
let outside: string;
beforeAll(async () => {
  project = await realpath(await mkdtemp(join(tmpdir(), 'gw-project-')));
  outside = await realpath(await mkdtemp(join(tmpdir(), 'gw-outside-')));
  await mkdir(join(project, 'src'));
  await writeFile(join(outside, 'other.txt'), '');
  await symlink(outside, join(project, 'link'));
  await symlink(join(outside, 'absent.txt'), join(project, 'src', 'dangling'));
  await symlink('loop', join(project, 'loop'));
});
afterAll(() => Promise.all([project, outside].map((one) => rm(one, { recursive: true }))));

const of = async (tool: string, value: string, words: string, mode: Mode = 'normal', policy = {}): Promise<string> =>
  (await judge(tool, value, rulesOf(words, policy), mode, project)).decision;

describe('the order of the layers', () => {
  it.each([
    ['Write', '', 'ask'],
    ['Read', '', 'allow'],
    ['Write', '--allow Write', 'allow'],
    ['Write', '--allow write', 'allow'],
    ['Write', '--allow Write --exclude Write', 'deny'],
    ['Write', '--exclude WRITE --allow Write', 'deny'],
    ['Write', '--allow Write --ask Write', 'ask'],
    ['Write', '--ask Write --allow Write', 'allow'],
    ['Read', '--ask Read', 'ask'],
    ['mcp__x__y', '--allow mcp__x__y', 'allow'],
    ['mcp__x__y', '--allow mcp__x__*', 'allow'],
    ['mcp__x__y', '--exclude mcp__*', 'deny'],
  ])('%s with %j: %s', async (tool, words, decision) => {
    expect(await of(tool, 'x.txt', words)).toBe(tool.startsWith('mcp') && words === '' ? 'ask' : decision);
  });

  // client-6
  it('the organization outranks the command line, which may only be stricter', async () => {
    expect(await of('Write', 'x', '--allow Write', 'normal', { exclude: ['Write'] })).toBe('deny');
    expect(await of('Write', 'x', '--allow Write', 'auto', { exclude: ['Write'] })).toBe('deny');
    expect(await of('Write', 'x', '--allow Write', 'normal', { ask: ['Write'] })).toBe('ask');
    expect(await of('Write', 'x', '', 'normal', { allow: ['Write'] })).toBe('allow');
    expect(await of('Write', 'x', '--ask Write', 'normal', { allow: ['Write'] })).toBe('ask');
    const denied = await judge('Write', 'x', rulesOf('', { exclude: ['Write'] }), 'auto', project);
    expect(denied).toMatchObject({
      source: 'policy',
      rule: 'Write',
      reason: "The organization's policy excludes Write.",
    });
  });

  // client-7
  it('auto mode allows what would be asked, plan mode denies what writes', async () => {
    expect(await of('Write', 'x', '', 'auto')).toBe('allow');
    expect(await of('Write', 'x', '--allow Write', 'plan')).toBe('deny');
    expect(await of('Read', 'x', '', 'plan')).toBe('allow');
    expect((await judge('Write', 'x', rulesOf(''), 'auto', project)).authorizedBy).toBe('automatic');
  });

  it('a question requires a person to answer', async () => {
    expect((await judge('AskQuestion', 'x', rulesOf('', {}, { interactive: false }), 'auto', project)).decision).toBe(
      'deny',
    );
  });

  it('a program that the project may supply, or have git start, is asked for', async () => {
    const permissions = createPermissions({
      project,
      directory: project,
      rules: () => rulesOf(''),
      approvals: sessionApprovals(),
      mask: () => ({ masked: 0 }),
      hasReadOnlySandbox: async () => false,
      gitAliases: async () => new Map(),
      gitStarts: async (folder) => (folder.endsWith('/sub') ? 'Its settings start a program.' : null),
      isSuppliedByProject: async (name) => name === 'tree',
    });
    const asked = async (value: string) =>
      permissions.judge({ tool: 'Bash', effect: 'execute', target: { kind: 'command', value }, args: {} }, 'normal');
    for (const line of ['ls; cd src', 'git status', 'git log | head'])
      expect((await asked(line)).decision).toBe('allow');
    for (const line of ['tree', 'ls | tree', 'git -C sub status', 'cd sub && git diff'])
      expect((await asked(line)).decision).toBe('ask');
    expect((await asked('git -C sub log')).reason).toBe('Its settings start a program. Bash needs an approval.');
  });

  it('a saved approval applies to exactly that call', async () => {
    const approvals = sessionApprovals();
    const permissions = createPermissions({
      project,
      directory: project,
      rules: () => rulesOf('--exclude Bash(curl *)'),
      approvals,
      mask: () => ({ masked: 0 }),
      hasReadOnlySandbox: async () => false,
      gitAliases: async () => new Map(),
      gitStarts: async () => null,
    });
    const call = (value: string) =>
      ({ tool: 'Bash', effect: 'execute', target: { kind: 'command', value }, args: {} }) as const;
    const remember = (value: string) => permissions.remember(call(value), 'session');
    expect(await remember('echo one >> log.txt')).toBeNull();
    expect(await remember('git reset --hard')).toMatch(/^The approval counts once: It discards changes/);
    expect(await remember('curl x')).toMatch(/^The approval counts once: --exclude Bash\(curl \*\) excludes it/);
    const decisions = await Promise.all(
      [
        'echo one >> log.txt',
        'echo  "one" >> log.txt',
        'echo one >> log.txt; touch x',
        'echo one >> other.txt',
        'touch one',
        'echo two >> log.txt',
        'git reset --hard',
        'curl x',
        '$(echo one >> log.txt)',
      ].map(async (line) => (await permissions.judge(call(line), 'normal')).decision),
    );
    expect(decisions).toEqual(['allow', 'allow', 'ask', 'ask', 'ask', 'ask', 'ask', 'deny', 'deny']);
  });
});

describe('rules with a path', () => {
  it.each([
    ['src/deep/x.ts', 'src/**', 'allow'],
    ['x.ts', 'src/**', 'ask'],
    ['src/../x', 'src/**', 'ask'],
    ['srcs/x.ts', 'src/**', 'ask'],
    ['other/src.ts', 'src/**', 'ask'],
    ['deep/er/x.md', '*.md', 'allow'],
    ['x.md', '/x.md', 'allow'],
    ['deep/x.md', '/x.md', 'ask'],
    ['SRC/x.ts', 'src/**', 'ask'],
    ['link/x', 'link/**', 'ask'],
    ['src/dangling', 'src/**', 'ask'],
    ['loop/x', '**', 'allow'],
    ['.', '**', 'ask'],
  ])('%s under %s: %s', async (path, pattern, decision) => {
    expect(await of('Write', path, `--allow Write(${pattern})`)).toBe(decision);
  });

  it.each(['.env', 'sub/.env', './.env', 'src/../.env', '.ENV', 'link/.env', '/elsewhere/.env'])(
    'an exclusion finds %s',
    async (path) => {
      expect(await of('Read', path, '--exclude Read(.env)', 'auto')).toBe('deny');
    },
  );

  // client-10
  it('paths outside the project ask, links resolved, also where a rule allows the tool', async () => {
    for (const path of ['/etc/hosts', '../x', 'link/other.txt', 'src/dangling', join(outside, 'other.txt')]) {
      expect(await of('Read', path, ''), path).toBe('ask');
      expect(await of('Read', path, '--allow Read'), path).toBe('ask');
    }
    expect(await of('Read', join(project, 'src'), '')).toBe('allow');
  });

  it('an absolute pattern covers files outside the project, and an exclusion also those inside', async () => {
    const other = join(outside, 'other.txt');
    expect(await of('Read', other, `--allow Read(${outside}/**)`)).toBe('allow');
    expect(await of('Read', join(outside, 'deep', '..', '..', 'x'), `--allow Read(${outside}/**)`)).toBe('ask');
    expect(await of('Read', `${outside}-beside/x`, `--allow Read(${outside}/**)`)).toBe('ask');
    expect(await of('Write', other, `--allow Read(${outside}/**)`)).toBe('ask');
    expect(await of('Read', other, `--exclude Read(${other})`, 'auto')).toBe('deny');
    expect(await of('Read', 'src/a', `--exclude Read(${project}/src/**)`, 'auto')).toBe('deny');
    expect(await of('Read', 'src/a', `--ask Read(${project}/src/a)`)).toBe('ask');
    for (const pattern of ['/**', '/*', '**']) expect(await of('Read', other, `--allow Read(${pattern})`)).toBe('ask');
  });

  it('files of git are asked for by a rule for the tool alone; a pattern or an approval of the file means them', async () => {
    for (const path of ['.git/hooks/pre-commit', '.git', 'src/.GIT/config']) {
      expect(await of('Write', path, '--allow Write'), path).toBe('ask');
      expect(await of('Write', path, `--allow Write(/${path})`), path).toBe('allow');
      expect(await of('Read', path, ''), path).toBe('allow');
    }
    for (const path of ['src/.gitignore', 'src/a.git', 'x.git/config'])
      expect(await of('Write', path, '--allow Write'), path).toBe('allow');
    const asked = await judge('Write', '.git/config', rulesOf(''), 'normal', project);
    expect(asked.reason).toBe('Write needs an approval.');
    const rules = await judge('Write', '.git/config', rulesOf('--allow Write'), 'normal', project);
    expect(rules.reason).toBe('The path belongs to git, which runs programs that its files name.');
  });

  it('an approval of a file outside, and of a file of git, is not asked for again', async () => {
    for (const path of [join(outside, 'other.txt'), join(project, '.git/config')]) {
      const approvals = sessionApprovals();
      const call = { tool: 'Write', effect: 'write', target: { kind: 'path', value: path }, args: {} } as const;
      const resolved = { path, relative: null };
      await approvals.add([approvalKey({ ...call, resolved })], 'session');
      const found = await judge('Write', path, rulesOf(''), 'normal', project, approvals);
      expect([found.decision, found.authorizedBy], path).toEqual(['allow', 'human']);
    }
  });

  it('names the files that exclusions hide from a sandbox: of reading and of writing, in any letter case', async () => {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'gw-excluded-')));
    onTestFinished(() => rm(root, { recursive: true }));
    for (const folder of ['locked/deep', 'src', 'node_modules/x', 'plain'])
      await mkdir(join(root, folder), { recursive: true });
    for (const file of ['server.KEY', 'src/a.key', 'src/a.ts', 'locked/b', 'node_modules/x/c.key', 'plain/d'])
      await writeFile(join(root, file), '');
    const excluded = async (words: string) => {
      const permissions = createPermissions({
        project: root,
        directory: root,
        rules: () => rulesOf(words),
        approvals: sessionApprovals(),
        mask: () => ({ masked: 0 }),
        hasReadOnlySandbox: async () => false,
        gitAliases: async () => new Map(),
        gitStarts: async () => null,
      });
      const { unreadable, unwritable } = await permissions.excludedPaths();
      const inside = (paths: readonly string[]) => paths.map((path) => path.slice(root.length + 1)).toSorted();
      return { unreadable: inside(unreadable), unwritable: inside(unwritable) };
    };
    expect(await excluded('')).toEqual({ unreadable: [], unwritable: [] });
    expect(await excluded('--exclude Read')).toEqual({ unreadable: [], unwritable: [] });
    expect(await excluded('--exclude Read(*.key)')).toEqual({
      unreadable: ['server.KEY', 'src/a.key'],
      unwritable: [],
    });
    expect(await excluded('--exclude Read(locked/**)')).toEqual({ unreadable: ['locked'], unwritable: [] });
    for (const tool of ['Write', 'Edit', 'MultiEdit'])
      expect(await excluded(`--exclude ${tool}(${root}/src/*.ts)`)).toEqual({
        unreadable: [],
        unwritable: ['src/a.ts'],
      });
    expect(await excluded('--exclude Bash(*.key) --allow Read(plain/**)')).toEqual({ unreadable: [], unwritable: [] });
  });

  it('a folder that was added is as the project, but for gw’s own', async () => {
    const added = async (tool: string, path: string, words: string, ownFolder: string | null = null) =>
      (await judge(tool, path, rulesOf(words, {}, { addedFolders: [outside], ownFolder }), 'normal', project)).decision;
    expect(await added('Read', join(outside, 'other.txt'), '')).toBe('allow');
    expect(await added('Read', 'link/other.txt', '')).toBe('allow');
    expect(await added('Write', join(outside, 'new.txt'), '')).toBe('ask');
    expect(await added('Write', join(outside, 'new.txt'), '--allow Write')).toBe('allow');
    expect(await added('Read', `${outside}-beside/x`, '')).toBe('ask');
    expect(await added('Read', join(outside, 'own/x'), '', join(outside, 'own'))).toBe('ask');
  });

  it('the files of a skill are read without a question, also in gw’s own folder, and not written', async () => {
    const own = join(outside, 'own');
    const rules = rulesOf('', {}, { skillFolders: [join(own, 'skills/pdf')], ownFolder: own });
    const asked = async (tool: string, path: string) =>
      (await judge(tool, join(own, path), rules, 'normal', project)).decision;
    expect(await asked('Read', 'skills/pdf/scripts/x.py')).toBe('allow');
    expect(await asked('Write', 'skills/pdf/scripts/x.py')).toBe('ask');
    expect(await asked('Read', 'credentials.json')).toBe('ask');
  });
});

it.each([
  ['127.0.0.1', '127.0.0.1', 'allow'],
  ['127.0.0.1:8080', '127.0.0.1', 'allow'],
  ['127.0.0.1:8080', '127.0.0.1:8081', 'ask'],
  ['localhost', '127.0.0.1', 'ask'],
  ['docs.example.org', '*.example.org', 'allow'],
  ['example.org.evil', '*.example.org', 'ask'],
  ['EXAMPLE.org', 'example.org', 'allow'],
])('Fetch of %s with a rule for %s: %s', async (host, pattern, decision) => {
  expect(await of('Fetch', host, `--allow Fetch(${pattern})`)).toBe(decision);
});

it.each([
  ['', 'empty'],
  ['  ', 'empty'],
  ['Bash(', 'not a rule'],
  ['Bash()', 'empty pattern'],
  ['a b', 'not a rule'],
  ['Write(!x)', 'must not'],
])('%j is not a rule', (text, fault) => {
  expect(parseRule(text)).toEqual({ fault: expect.stringContaining(fault) });
});

const LINES = await Promise.all(
  ['git status', 'ls; git push', 'echo x > src/a.ts', 'cat $(git log)', 'env git status', 'echo "'].map(async (line) =>
    locate(await parseLine(line), '/p', '/p'),
  ),
);

describe('for all rules and calls', () => {
  const name = fc.constantFrom('Read', 'Write', 'Bash', 'Fetch', 'mcp__a__b');
  const pattern = fc
    .constantFrom(
      'Read',
      'Write',
      'Bash',
      'Fetch',
      'mcp__*',
      'Write(src/**)',
      'Bash(git *)',
      'Fetch(example.org)',
      'Read(*.md)',
    )
    .map(rule);
  const list = fc.array(pattern, { maxLength: 3 });
  const ordered = fc.array(fc.record({ decision: fc.constantFrom('allow' as const, 'ask' as const), rule: pattern }), {
    maxLength: 4,
  });
  const call: fc.Arbitrary<Call> = fc.oneof(
    fc
      .record({ tool: fc.constantFrom('Read', 'Write'), relative: fc.constantFrom('src/a.ts', 'b.md', null) })
      .map(({ tool, relative }) => ({
        tool,
        effect: tool === 'Read' ? ('read' as const) : ('write' as const),
        target: { kind: 'path' as const, value: relative ?? '/x' },
        resolved: { path: `/p/${relative}`, relative },
      })),
    name
      .filter((one) => one === 'Fetch' || one.startsWith('mcp'))
      .map((tool) => ({ tool, effect: 'network' as const, target: { kind: 'host' as const, value: 'example.org' } })),
    fc.constantFrom(...LINES).map((line) => ({
      tool: 'Bash',
      effect: 'execute' as const,
      target: { kind: 'command' as const, value: line.source },
      line,
    })),
  );
  const keysOf = (one: Call): readonly string[] =>
    one.line === undefined ? [approvalKey(one)] : [...approvalsOf(one.line), approvalKey(one)];
  const EVERY_KEY = fc.sample(call, { numRuns: 300, seed: 1 }).flatMap(keysOf);

  const rules: fc.Arbitrary<RuleSet> = fc.record({
    mode: fc.constantFrom('normal' as const, 'plan' as const, 'auto' as const),
    policy: fc.record({ exclude: list, ask: list, allow: list }),
    options: fc.record({ exclude: list, ordered }),
    configuration: fc.record({ exclude: list, ordered }),
    // Everything that a person could have approved.
    saved: fc.constantFrom(new Set<string>(), new Set(EVERY_KEY)),
    ownFolder: fc.constantFrom(null, '/p/src'),
    readOnlySandbox: fc.boolean(),
    interactive: fc.boolean(),
  });
  const excluded = (set: RuleSet, { tool }: Call): boolean =>
    [...set.policy.exclude, ...set.options.exclude, ...set.configuration.exclude].some((one) => one.text === tool);

  it('nothing overrides an exclusion', () => {
    fc.assert(
      fc.property(rules, call, (set, one) => {
        fc.pre(excluded(set, one));
        expect(decide(set, one).decision).toBe('deny');
      }),
    );
  });

  it('a command that an exclusion names is denied at any position in a line', () => {
    fc.assert(
      fc.property(rules, fc.constantFrom(...LINES.slice(0, 2), ...LINES.slice(3, 5)), (set, line) => {
        const one: Call = { tool: 'Bash', effect: 'execute', target: { kind: 'command', value: line.source }, line };
        const git = rule('Bash(git *)');
        for (const layer of ['policy', 'options', 'configuration'] as const) {
          const stricter = { ...set, [layer]: { ...set[layer], exclude: [...set[layer].exclude, git] } } as RuleSet;
          expect(decide(stricter, one).decision).toBe('deny');
        }
      }),
    );
  });

  it('what is written below ~/.gateway always asks', () => {
    fc.assert(
      fc.property(rules, (set) => {
        const own = { ...set, ownFolder: '/p/src', mode: 'auto' as const };
        const place = { path: '/p/src/a.ts', relative: 'src/a.ts' };
        const target = { kind: 'path' as const, value: 'src/a.ts' };
        expect(decide(own, { tool: 'Write', effect: 'write', target, resolved: place }).decision).not.toBe('allow');
      }),
    );
  });

  it('one more exclusion or one more policy never allows more', () => {
    const strength = { allow: 0, ask: 1, deny: 2 } as const;
    fc.assert(
      fc.property(rules, call, pattern, (set, one, more) => {
        const before = strength[decide(set, one).decision];
        const stricter: RuleSet[] = [
          { ...set, policy: { ...set.policy, exclude: [...set.policy.exclude, more] } },
          { ...set, policy: { ...set.policy, ask: [...set.policy.ask, more] } },
          { ...set, options: { ...set.options, exclude: [...set.options.exclude, more] } },
          { ...set, configuration: { ...set.configuration, exclude: [...set.configuration.exclude, more] } },
        ];
        for (const other of stricter) expect(strength[decide(other, one).decision]).toBeGreaterThanOrEqual(before);
      }),
    );
  });

  it('plan mode never allows a write, and every decision has a reason', () => {
    fc.assert(
      fc.property(rules, call, (set, one) => {
        const found = decide(set, one);
        const own = found.source === 'always asks';
        const never =
          set.mode === 'plan' && one.effect === 'write' ? ['allow', 'ask'] : set.mode === 'auto' && !own ? ['ask'] : [];
        expect(never).not.toContain(found.decision);
        expect(found.reason).toMatch(/^\S.*\.$/);
      }),
    );
  });
});
