import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createApprovals } from '../../permissions/approvals.ts';
import { openSessionWorld, type SessionWorld, use } from '../../testing/session-world.ts';

// Sessions under the rules of configuration files, and under approvals of earlier sessions.
let world: SessionWorld;
beforeEach(async () => {
  world = await openSessionWorld();
});
afterEach(() => world.end());

const write = use('Write', { file_path: 'made.txt', content: 'x' });
const made = (): boolean => existsSync(join(world.project, 'made.txt'));
const own = join('home', 'casey', '.gateway', 'config.yaml');
const configure = (permissions: string): void => {
  const before = readFileSync(join(world.root, own), 'utf8');
  world.write(own, `${before}permissions:\n${permissions}`);
};

it("the user's configuration allows a tool, and --ask outranks it", async () => {
  configure('  allow: [Write]\n');
  expect((await world.print([write, 'End.'], ['--ask', 'Write'])).code).toBe(3);
  expect(made()).toBe(false);
  expect((await world.print([write, 'End.'])).code).toBe(0);
  expect(made()).toBe(true);
});

it('of the same file, ask outranks allow, and exclude outranks both and --allow and --auto', async () => {
  configure('  allow: [Write, Bash]\n  ask: [Write]\n  exclude: ["Bash(touch *)"]\n');
  expect((await world.print([write, 'End.'])).code).toBe(3);
  const { envelope } = await world.print(
    [use('Bash', { command: 'touch made.txt' }), 'End.'],
    ['--auto', '--allow', 'Bash'],
  );
  expect(envelope.denied[0]?.reason).toBe('The configuration excludes Bash(touch *).');
  expect(made()).toBe(false);
});

it('a project may exclude and ask, and may not allow', async () => {
  configure('  allow: [List]\n');
  world.write('work/shop/.gateway/config.yaml', 'permissions:\n  allow: [Write]\n  ask: [List]\n  exclude: [Search]\n');
  const { code, envelope, err } = await world.print([
    { calls: [write.calls, use('List', {}).calls, use('Search', { pattern: 'x' }).calls].flat() },
    'End.',
  ]);
  expect([code, envelope.denied.map(({ tool }) => tool)]).toEqual([3, ['Write', 'List', 'Search']]);
  expect(err).toContain('permissions.allow of a project does not count.');
  expect(made()).toBe(false);
});

it('what nobody could approve was denied by the rules, not by a person', async () => {
  const { envelope } = await world.print([write, 'End.']);
  expect(envelope.toolCalls).toMatchObject([{ tool: 'Write', outcome: 'denied', authorizedBy: 'policy' }]);
});

it('--config trusts the rules of a project', async () => {
  const models = readFileSync(join(world.root, own), 'utf8');
  const file = world.write('work/shop/.gateway/config.yaml', `${models}permissions:\n  allow: [Write]\n`);
  expect((await world.print([write, 'End.'], ['--config', file])).code).toBe(0);
});

it.each([
  ['  allow: [Wri te]\n', /config\.yaml:\d+:\d+: permissions\.allow\.0 is not a rule\. Write Tool or Tool\(pattern\)/],
  ['  alow: [Write]\n', /permissions\.alow is not a known member\. Did you mean "allow"/],
  ['  allow: Write\n', /permissions\.allow must be a list of rules/],
])('%j is refused with its position', async (text, says) => {
  configure(text);
  const { code, err } = await world.gw(['-p', 'Go.']);
  expect([code, err]).toEqual([2, expect.stringMatching(says)]);
});

it('an approval stored for the project counts in headless sessions, and exclusions outrank it', async () => {
  const approvals = createApprovals({ home: world.home, project: world.project, now: () => new Date() });
  await approvals.add([JSON.stringify(['Write', 'path', join(world.project, 'made.txt')])], 'project');
  expect((await world.print([write, 'End.'], ['--exclude', 'Write'])).code).toBe(3);
  expect((await world.print([write, 'End.'], ['--ask', 'Write'])).code).toBe(3);
  const { code, envelope } = await world.print([write, 'End.']);
  expect([code, envelope.toolCalls[0]?.authorizedBy]).toEqual([0, 'human']);
  expect(made()).toBe(true);
});

it('no session gives itself approvals: what it writes below ~/.gateway asks, in auto mode too', async () => {
  const folder = join(world.home, '.gateway', 'approvals');
  const calls = [
    { name: 'Write', args: { file_path: join(folder, 'x.json'), content: '{}' } },
    { name: 'Bash', args: { command: `echo x > ${join(folder, 'y.json')}` } },
  ];
  const { code, envelope } = await world.print([{ calls }, 'End.'], ['--auto', '--allow', 'Write', '--allow', 'Bash']);
  expect([code, envelope.denied.map(({ tool }) => tool)]).toEqual([3, ['Write', 'Bash']]);
  expect(existsSync(folder) && readdirSync(folder).length > 0).toBe(false);
});

it('a rule for a tool that does not exist is refused: an exclusion of it would exclude nothing', async () => {
  const { code, err } = await world.gw(['-p', '--exclude', 'Bahs', 'Go.']);
  expect(code).toBe(2);
  expect(err).toMatch(/^gw: --exclude "Bahs" names no tool: tools are Read, .*Bash.* and mcp__<server>__<tool>\.\n$/);
  configure('  exclude: ["Bahs(git push *)"]\n');
  const configured = await world.gw(['-p', 'Go.']);
  expect(configured.code).toBe(2);
  expect(configured.err).toMatch(/config\.yaml:7:\d+: .*is not a rule.*Tools are Read/s);
});

it.each(['bash', 'mcp__any__thing', 'mcp__*', '*'])('a rule for %s is accepted', async (tool) => {
  world.engine.play(['End.']);
  expect((await world.gw(['-p', '--exclude', tool, 'Go.'])).code).toBe(0);
});

it('a rule that keeps a file from Read keeps its lines out of Search', async () => {
  world.write('work/shop/.env', 'TOKEN=hidden\n');
  world.write('work/shop/a:b.txt', 'TOKEN is shown\n');
  const search = use('Search', { pattern: 'TOKEN' });
  await world.print([search, use('Search', { pattern: 'TOKEN', path: '.env' }), 'End.'], ['--exclude', 'Read(.env)']);
  const left = '[Lines of 1 file that rules keep from being read were left out]';
  expect(world.engine.results()).toEqual([`a:b.txt:1:TOKEN is shown\n${left}`, left]);
  await world.print([search, 'End.'], ['--ask', 'Read(.env*)']);
  expect(world.engine.results()).toEqual([`a:b.txt:1:TOKEN is shown\n${left}`]);
  await world.print([search, 'End.']);
  expect(world.engine.results()).toEqual(['.env:1:TOKEN=hidden\na:b.txt:1:TOKEN is shown']);
});

it('Write as a whole does not reach what git runs', async () => {
  world.git('init');
  const hook = use('Write', { file_path: '.git/hooks/pre-commit', content: '#!/bin/sh\n' });
  const { code, envelope } = await world.print([hook, 'End.'], ['--allow', 'Write']);
  expect([code, envelope.denied[0]?.reason]).toEqual([
    3,
    'The path belongs to git, which runs programs that its files name. Nobody can approve it here: allow it with --allow.',
  ]);
  expect((await world.print([hook, 'End.'], ['--allow', 'Write(.git/hooks/*)'])).code).toBe(0);
});
