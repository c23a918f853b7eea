import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { givenAway, withoutPrivileges } from '../testing/rights.ts';
import { openWorld, type World } from '../testing/world.ts';

let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const HOME = 'home/casey/.gateway';
const PROJECT = 'work/shop/.gateway';

describe('the project', () => {
  it('is the current directory where there is no repository', async () => {
    const { project } = await world.report();
    expect(project).toEqual({
      currentDirectory: world.project,
      directory: world.project,
      repository: false,
      foreign: false,
      git: null,
    });
  });

  it('is a repository with its branch and its changes', async () => {
    world.git('init');
    world.write('work/shop/deep/down', 'text');
    const workingDirectory = join(world.project, 'deep');
    const { project, findings } = await world.report({ environment: { workingDirectory } });
    expect(project).toMatchObject({ directory: world.project, git: { branch: 'main', changes: 1, more: false } });
    expect(findings).toEqual([]);
    const { out } = await world.gw(['diagnose', '--output', '-'], { environment: { workingDirectory } });
    expect(out).toMatch(/^Branch +main\nChanges +1 file$/m);
  });

  it('that git cannot read is a finding', async () => {
    mkdirSync(join(world.project, '.git'));
    expect(await world.whats()).toEqual(['git does not say in which state the repository is.']);
  });

  it('of another user is not looked into', async () => {
    world.git('init');
    world.write(`${PROJECT}/config.yaml`, 'nonsense: 1\n');
    world.write('work/shop/AGENTS.md', 'text');
    const userId = givenAway(world.project);
    const { project, directories, configurations, instructions, findings } = await world.report({
      environment: { userId },
    });
    expect(project).toMatchObject({ foreign: true, git: null });
    expect(directories.map(({ of }) => of)).toEqual(['home']);
    expect([configurations, instructions]).toEqual([[], []]);
    expect(findings.map(({ what }) => what)).toEqual([
      expect.stringContaining('The repository belongs to another user'),
    ]);
  });

  it('may be deleted, and home as well', async () => {
    const nowhere = { workingDirectory: null, homeDirectory: null };
    const { project, directories, findings } = await world.report({ environment: nowhere });
    expect([project.directory, directories]).toEqual([null, []]);
    expect(findings.map(({ what }) => what)).toEqual([
      'The current folder no longer exists.',
      'You have no home directory, so that settings of your own cannot be kept.',
    ]);
    const { out } = await world.gw(['diagnose', '--output', '-'], { environment: nowhere });
    expect(out).toMatch(/^Current directory +is gone\nProject +none$/m);
  });

  it.each([
    ['that is not there', 'home/nobody'],
    ['that is a file', 'home/file'],
  ])('has beside it a home %s: none', async (_, home) => {
    world.write('home/file', 'text');
    const environment = { homeDirectory: join(world.root, home) };
    const { directories, findings } = await world.report({ environment });
    expect(directories.map(({ of }) => of)).toEqual(['project']);
    expect(findings).toMatchObject([
      { what: 'You have no home directory, so that settings of your own cannot be kept.', where: 'HOME' },
    ]);
  });

  it('that is home has settings once', async () => {
    world.write(`${HOME}/config.yaml`, 'name: x\n');
    const { directories, configurations } = await world.report({ environment: { workingDirectory: world.home } });
    expect(directories.map(({ of }) => of)).toEqual(['home']);
    expect(configurations).toHaveLength(1);
  });
});

describe('the directories', () => {
  it('are listed with sizes and modes', async () => {
    world.write(`${HOME}/config.yaml`, 'name: x\n', 0o640);
    world.write(`${PROJECT}/rules/a.md`, 'text', 0o644);
    chmodSync(join(world.root, PROJECT), 0o755);
    chmodSync(join(world.root, HOME), 0o700);
    const { directories, findings } = await world.report();
    expect(
      directories.map(({ of, state, entries }) => [of, state, entries.map(({ name, kind }) => [name, kind])]),
    ).toEqual([
      ['project', 'read', [['rules', 'directory']]],
      ['home', 'read', [['config.yaml', 'file']]],
    ]);
    expect(directories[1]?.entries[0]).toMatchObject({ bytes: 8, rights: { mode: '0640', othersRead: true } });
    expect(findings).toEqual([]);
    const { out } = await world.gw(['diagnose', '--output', '-']);
    expect(out).toContain(
      'Of yours            ~/.gateway: 1 entry\n                    config.yaml  (8 bytes, 0640, others can read it)\n',
    );
  });

  it('contain files that others can read: those not intended to be shared are a finding', async () => {
    world.write(`${HOME}/sessions.json`, '{}', 0o644);
    world.write(`${HOME}/notes.md`, 'text', 0o644);
    world.write(`${HOME}/config.yaml`, 'name: x\n', 0o644);
    const directory = join(world.root, HOME);
    chmodSync(directory, 0o755);
    const [finding, ...others] = await world.findings();
    expect(finding).toBe('Others can read sessions.json. | ~/.gateway | chmod go= on them, or on ~/.gateway itself');
    expect(others).toEqual([]);
    chmodSync(directory, 0o700);
    expect(await world.findings()).toEqual([]);
  });

  it('that are writable by all are a finding', async () => {
    world.write(`${PROJECT}/rules/a.md`, 'text');
    chmodSync(join(world.root, PROJECT), 0o777);
    expect(await world.findings()).toEqual([
      `Others can change the directory itself: they control the instructions of your agents and the programs that run. | ${world.project}/.gateway | chmod -R go-w ${world.project}/.gateway`,
    ]);
    chmodSync(join(world.root, PROJECT), 0o755);
    for (const name of 'abcdefg') world.write(`${PROJECT}/${name}.md`, 'text', 0o646);
    expect(await world.whats()).toEqual([
      expect.stringContaining('Others can change a.md, b.md, c.md, d.md, e.md, …:'),
    ]);
  });

  it('of another user are a finding', async () => {
    const file = world.write(`${HOME}/notes.md`, 'text');
    const asks = givenAway(file);
    expect((await world.whats({ environment: { userId: asks } })).join()).toContain(
      'Files belong to another user: notes.md.',
    );
    rmSync(file);
    const userId = givenAway(join(world.root, HOME));
    expect((await world.whats({ environment: { userId } })).join()).toContain('The directory belongs to another user.');
  });

  it('may be files, closed, full, or contain names that cannot be typed', async () => {
    const file = world.write('home/casey/.gateway', 'text');
    expect(await world.findings()).toEqual([
      'The directory cannot be read: not a directory. | ~/.gateway | A folder is needed there. Move the file away.',
    ]);
    chmodSync(file, 0o600);
    mkdirSync(join(world.root, PROJECT));
    writeFileSync(
      Buffer.concat([Buffer.from(`${join(world.root, PROJECT)}/`), Buffer.from([0xff, 0x2e, 0x6d, 0x64])]),
      'x',
    );
    for (let count = 0; count < 120; count += 1) world.write(`${PROJECT}/${count}.md`, '');
    const { directories, findings } = await world.report();
    expect(directories[0]).toMatchObject({ more: true });
    expect(directories[0]?.entries).toHaveLength(100);
    expect(findings.map(({ what, where }) => `${what} ${where}`)).toContain(
      `A file has a name that is not UTF-8, and cannot be named. ${world.project}/.gateway/\\xff.md`,
    );
  });

  it('closed to the current user', async () => {
    mkdirSync(join(world.root, PROJECT), { mode: 0o000 });
    chmodSync(world.root, 0o755);
    const findings = await withoutPrivileges(() => world.findings({ environment: { userId: 65_534 } }));
    chmodSync(join(world.root, PROJECT), 0o700); // only the superuser can remove it as it is
    expect(findings).toEqual([expect.stringMatching(/^The directory cannot be read: no permission\. \| .*chmod u\+r/)]);
  });
});
