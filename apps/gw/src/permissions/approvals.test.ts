import { mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { approvalText, createApprovals } from './approvals.ts';
import { createPermissions } from './permissions.ts';
import { rulesOf } from './testing/rules.ts';

it('knows which lines only read, whatever was approved', async () => {
  const permissions = (await world()).permissionsWith();
  for (const line of ['ls -la', 'git status && cat a.txt | head -3', 'cat /etc/hosts', 'echo done'])
    expect(await permissions.readsOnly(line), line).toBe(true);
  for (const line of ['touch a', 'cat a > b', 'sed -i s/a/b/ c', 'X=1 ls', '$(cat a)', 'npm test', 'ls; make', '((('])
    expect(await permissions.readsOnly(line), line).toBe(false);
});

async function world() {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'gw-approvals-')));
  onTestFinished(() => rm(home, { recursive: true }));
  const now = () => new Date('2026-01-01T00:00:00.000Z');
  const of = (project = '/project') => createApprovals({ home, project, now });
  const permissionsWith = (approvals = of(), masked = 0) =>
    createPermissions({
      project: '/project',
      directory: '/project',
      rules: () => rulesOf(''),
      approvals,
      mask: () => ({ masked }),
      hasReadOnlySandbox: async () => false,
      gitAliases: async () => new Map(),
      gitStarts: async () => null,
    });
  const folder = join(home, '.gateway', 'approvals');
  const file = async () => join(folder, (await readdir(folder))[0] ?? '');
  return { home, of, permissionsWith, folder, file };
}
const bash = (value: string) =>
  ({ tool: 'Bash', effect: 'execute', target: { kind: 'command', value }, args: {} }) as const;

it('an approval for the project counts in later sessions of it, and in no other project', async () => {
  const { of, permissionsWith } = await world();
  expect(await permissionsWith().remember(bash('npm run test'), 'project')).toBeNull();
  expect((await permissionsWith().judge(bash('npm run test'), 'normal')).decision).toBe('allow');
  expect((await permissionsWith().judge(bash('npm run test; rm x'), 'normal')).decision).toBe('ask');
  expect((await permissionsWith(of('/other')).judge(bash('npm run test'), 'normal')).decision).toBe('ask');
});

it.each([
  ['Fetch', 'network', 'https://example.org/a', 'https://example.org/b?secret'],
  ['mcp__files__delete', 'execute', 'old.txt', 'all.txt'],
] as const)('an approval of %s counts for the same arguments alone', async (tool, effect, first, second) => {
  const { permissionsWith } = await world();
  const session = permissionsWith();
  const call = (url: string) =>
    ({ tool, effect, target: { kind: 'host', value: 'example.org' }, args: { url } }) as const;
  await session.remember(call(first), 'session');
  expect((await session.judge(call(first), 'normal')).decision).toBe('allow');
  expect((await session.judge(call(second), 'normal')).decision).toBe('ask');
});

it('an approval for the session ends with it', async () => {
  const { permissionsWith } = await world();
  const first = permissionsWith();
  await first.remember(bash('make'), 'session');
  expect((await first.judge(bash('make'), 'normal')).decision).toBe('allow');
  expect((await permissionsWith().judge(bash('make'), 'normal')).decision).toBe('ask');
});

it('the file is of the user alone, and what is forgotten counts no more in any session', async () => {
  const { of, permissionsWith, file } = await world();
  const running = permissionsWith();
  await running.remember(bash('make'), 'project');
  expect((await stat(await file())).mode & 0o077).toBe(0);
  expect(await of().forget()).toBe(1);
  expect((await running.judge(bash('make'), 'normal')).decision).toBe('ask');
});

it('sessions that approve at the same time lose nothing', async () => {
  const { of } = await world();
  await Promise.all(Array.from({ length: 20 }, (_, at) => of().add([`key ${at}`, 'the same'], 'project')));
  expect((await of().kept()).length).toBe(21);
});

it('a damaged file, and one of another project, approve nothing', async () => {
  const { of, file } = await world();
  await of().add(['key'], 'project');
  const text = await readFile(await file(), 'utf8');
  await writeFile(await file(), text.replace('/project', '/another'));
  expect(await of().kept()).toEqual([]);
  await writeFile(await file(), text.slice(0, -9));
  expect(await of().kept()).toEqual([]);
});

it('a call that contains a secret is not stored on disk', async () => {
  const { of, permissionsWith } = await world();
  const session = permissionsWith(of(), 1);
  expect(await session.remember(bash('make'), 'project')).toMatch(/in this session only: .* secret/);
  expect((await session.judge(bash('make'), 'normal')).decision).toBe('allow');
  expect(await of().kept()).toEqual([]);
});

it('an approval that cannot be written counts for the session, with a message', async () => {
  const { home, permissionsWith } = await world();
  await writeFile(join(home, '.gateway'), '');
  const session = permissionsWith();
  expect(await session.remember(bash('make'), 'project')).toMatch(/in this session only: it cannot be kept/);
  expect((await session.judge(bash('make'), 'normal')).decision).toBe('allow');
});

it.each([
  ['["Bash",["git","commit","-m","a b"],[]]', "Bash  git commit -m 'a b'"],
  ['["Bash",["echo","x"],[["write","/project/a.txt"]]]', 'Bash  echo x > a.txt'],
  ['["Bash line","echo $(x)"]', 'Bash  echo $(x)'],
  ['["Write","path","/project/src/a.ts"]', 'Write  src/a.ts'],
  ['["Fetch","host","example.org","{}"]', 'Fetch  example.org {}'],
  ['not JSON', 'not JSON'],
])('%s is shown as %s', (key, text) => {
  expect(approvalText(key, '/project')).toBe(text);
});
