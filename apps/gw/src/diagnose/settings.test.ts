import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
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
const KEY = `gwk_${'0123456789abcdef'.repeat(3)}`;
const whats = async (...more: Parameters<World['findings']>): Promise<readonly string[]> =>
  (await world.report(...more)).findings.map(({ what }) => what);

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
    expect(await whats()).toEqual(['git does not say in which state the repository is.']);
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

  it('may be gone, and home as well', async () => {
    const nowhere = { workingDirectory: null, homeDirectory: null };
    const { project, directories, findings } = await world.report({ environment: nowhere });
    expect([project.directory, directories]).toEqual([null, []]);
    expect(findings.map(({ what }) => what)).toEqual([
      'The current directory is gone.',
      'You have no home directory, so that settings of your own cannot be kept.',
    ]);
    const { out } = await world.gw(['diagnose', '--output', '-'], { environment: nowhere });
    expect(out).toMatch(/^Current directory +is gone\nProject +none$/m);
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

  it('hold files that others can read: those that are not made to be shared are a finding', async () => {
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

  it('that everybody can change are a finding', async () => {
    world.write(`${PROJECT}/rules/a.md`, 'text');
    chmodSync(join(world.root, PROJECT), 0o777);
    expect(await world.findings()).toEqual([
      `Others can change the directory itself: they decide what your agents are told and what is run. | ${world.project}/.gateway | chmod -R go-w ${world.project}/.gateway`,
    ]);
    chmodSync(join(world.root, PROJECT), 0o755);
    for (const name of 'abcdefg') world.write(`${PROJECT}/${name}.md`, 'text', 0o646);
    expect(await whats()).toEqual([expect.stringContaining('Others can change a.md, b.md, c.md, d.md, e.md, …:')]);
  });

  it('of another user are a finding', async () => {
    const file = world.write(`${HOME}/notes.md`, 'text');
    const asks = givenAway(file);
    expect((await whats({ environment: { userId: asks } })).join()).toContain(
      'Files belong to another user: notes.md.',
    );
    rmSync(file);
    const userId = givenAway(join(world.root, HOME));
    expect((await whats({ environment: { userId } })).join()).toContain('The directory belongs to another user.');
  });

  it('may be files, closed, full, or hold names that cannot be typed', async () => {
    const file = world.write('home/casey/.gateway', 'text');
    expect(await world.findings()).toEqual([
      'The directory cannot be read: not a directory. | ~/.gateway | A directory belongs there: move away what stands in its place.',
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
      `A file has a name that is not UTF-8, and cannot be asked for by it. ${world.project}/.gateway/\\xff.md`,
    );
  });

  it('closed to the one who looks', async () => {
    mkdirSync(join(world.root, PROJECT), { mode: 0o000 });
    chmodSync(world.root, 0o755);
    const findings = await withoutPrivileges(() => world.findings({ environment: { userId: 65_534 } }));
    expect(findings).toEqual([expect.stringMatching(/^The directory cannot be read: no permission\. \| .*chmod u\+r/)]);
  });
});

describe('the configuration', () => {
  it('is described without a value that matters', async () => {
    world.write(
      `${PROJECT}/config.yaml`,
      `models:
  - {name: Coder, model: qwen2.5-coder, endpoint: 'https://gateway.example/coder/v1?key=x', apiKey: '\${{ env.GATEWAY_KEY }}'}
  - {name: Local, apiBase: 'http://localhost:6001/demo/v1', apiKey: '\${{ env.OTHER }}'}
rules: [a, b]
mcpServers: [{name: files, command: mcp}]
`,
    );
    const { configurations, findings } = await world.report({ variables: { GATEWAY_KEY: KEY } });
    expect(configurations).toEqual([
      {
        file: `${world.project}/.gateway/config.yaml`,
        state: 'read',
        bytes: expect.any(Number) as number,
        sound: true,
        models: [
          {
            name: 'Coder',
            model: 'qwen2.5-coder',
            address: 'https://gateway.example/coder/v1',
            key: { as: 'reference', variable: 'GATEWAY_KEY', set: true, gatewayForm: true },
          },
          {
            name: 'Local',
            model: null,
            address: 'http://localhost:6001/demo/v1',
            key: { as: 'reference', variable: 'OTHER', set: false, gatewayForm: null },
          },
        ],
        mcpServers: 1,
        rules: 2,
        prompts: 0,
        references: [
          { name: 'GATEWAY_KEY', set: true },
          { name: 'OTHER', set: false },
        ],
      },
    ]);
    expect(findings).toEqual([
      {
        grade: 'fault',
        what: 'The variable OTHER is not set.',
        where: `${world.project}/.gateway/config.yaml:3:69`,
        mend: 'Set it where you start the client, and export it.',
      },
    ]);
    const { out } = await world.gw(['diagnose', '--output', '-'], { variables: { GATEWAY_KEY: KEY } });
    expect(out).toContain(
      'Model               Coder: qwen2.5-coder at https://gateway.example/coder/v1; key: from GATEWAY_KEY, of the form of an account key\n',
    );
    expect(out).toMatch(/^Model +Local: no model at .*; key: from OTHER, which is not set$/m);
    expect(out).toMatch(/^Variable +OTHER is not set$/m);
    expect(out).not.toContain(KEY.slice(8, 16));
  });

  it.each([
    [KEY, 'A key stands there in the clear.', true],
    ['a-short-one', 'A key stands there in the clear.', false],
    ['$GATEWAY_KEY', 'The key would be sent as it is written there.', null],
    ['Bearer ${{ env.GATEWAY_KEY }}', 'The key would be sent as it is written there.', null],
  ])('with the key %j', async (key, what, form) => {
    const file = world.write(
      `${HOME}/config.yaml`,
      `models:\n  - name: a\n    endpoint: https://h/v1\n    apiKey: ${JSON.stringify(key)}\n`,
    );
    const { configurations, findings } = await world.report({ variables: { GATEWAY_KEY: KEY } });
    expect(configurations[0]?.models[0]?.key.gatewayForm).toBe(form);
    expect(findings.map((finding) => [finding.what, finding.where])).toEqual([[what, '~/.gateway/config.yaml:4:13']]);
    const { out } = await world.gw(['diagnose', '--output', '-']);
    expect(out).not.toContain(key);
    chmodSync(file, 0o644);
    expect((await whats({ variables: { GATEWAY_KEY: KEY } }))[0]).toBe(
      what.replace('clear.', 'clear, and others can read the file.'),
    );
  });

  it('that names a key spoiled in copying', async () => {
    world.write(
      `${HOME}/config.yaml`,
      `models: [{name: a, endpoint: 'https://h', apiKey: '\${{ env.GATEWAY_KEY }}'}]\n`,
    );
    for (const value of [KEY.slice(0, -1), KEY.toUpperCase(), `${KEY}0`])
      expect(await whats({ variables: { GATEWAY_KEY: value } })).toEqual([
        'The key begins as an account key does, but is none.',
      ]);
    for (const value of [`${KEY}\n`, `"${KEY}"`, ` ${KEY}`]) {
      const found = await whats({ variables: { GATEWAY_KEY: value } });
      expect(found).toEqual([expect.stringMatching(/^The value of GATEWAY_KEY begins or ends with a blank/)]);
    }
    expect(await whats({ variables: { GATEWAY_KEY: 'another-service' } })).toEqual([]);
  });

  it('that is not sound tells each fault with its place, and its models all the same', async () => {
    world.write(`${HOME}/config.yaml`, `modles: []\r\nmodels:\r\n  - name: a\r\n    apiKey: ${KEY}\r\n`);
    const { configurations, findings } = await world.report();
    expect(findings.map(({ what, where }) => `${where} ${what}`)).toEqual([
      '~/.gateway/config.yaml:4:13 A key stands there in the clear.',
      '~/.gateway/config.yaml:1:1 modles is not a member that is known here.',
      '~/.gateway/config.yaml:3:5 models[0] needs one of endpoint and apiBase.',
    ]);
    expect(configurations[0]).toMatchObject({ sound: false, models: [{ name: 'a', address: null }] });
  });

  it('with very many faults tells the first ones', async () => {
    world.write(`${HOME}/config.yaml`, Array.from({ length: 50 }, (_, at) => `member${at}: 1\n`).join(''));
    const findings = await world.findings();
    expect(findings).toHaveLength(21);
    expect(findings.at(-1)).toBe(
      'Besides, there is more that is wrong: 30 faults. | ~/.gateway/config.yaml | Correct the first ones.',
    );
  });

  it('may be anything but a text', async () => {
    const file = join(world.root, HOME, 'config.yaml');
    mkdirSync(file, { recursive: true });
    symlinkSync('config.yml', join(world.root, HOME, 'config.yml'));
    world.write(`${PROJECT}/config.yml`, '');
    truncateSync(join(world.root, PROJECT, 'config.yml'), 100_000_000);
    const findings = await world.findings();
    expect(findings.map((finding) => finding.split(' | ').slice(0, 2))).toEqual([
      ['There are a config.yaml and a config.yml.', '~/.gateway'],
      ['The configuration cannot be read: too large.', `${world.project}/.gateway/config.yml`],
      ['The configuration cannot be read: directory.', '~/.gateway/config.yaml'],
      ['The configuration cannot be read: link loop.', '~/.gateway/config.yml'],
    ]);
    const { configurations } = await world.report();
    expect(configurations.map(({ state }) => state)).toEqual(['too large', 'directory', 'link loop']);
  });

  it('is the one that is asked for, instead of those that are found', async () => {
    world.write(`${HOME}/config.yaml`, 'modles: 1\n');
    const file = world.write('work/shop/other.yaml', 'name: x\n');
    const { configurations, findings } = await world.report({}, '--config', 'other.yaml');
    expect([configurations.map((each) => each.file), findings]).toEqual([[file], []]);
    expect(await world.findings({}, '--config', 'absent.yaml')).toEqual([
      `The configuration cannot be read: absent. | ${world.project}/absent.yaml | Make the file, or correct its name.`,
    ]);
  });

  it('with calls in clear, or two models of one name', async () => {
    const models = "models: [{name: a, endpoint: 'http://gateway.example'}, {name: A, endpoint: 'http://127.0.0.1'}]\n";
    world.write(`${HOME}/config.yaml`, models);
    expect(await world.findings()).toEqual([
      'Calls go out unencrypted, with your key in them. | ~/.gateway/config.yaml:1:30 | Write https, if the service speaks it.',
      'Two models have the same name. | ~/.gateway/config.yaml:1:64 | Give one of them another name.',
    ]);
  });

  it('that holds a secret anywhere says in which line, and of which kind', async () => {
    const password = ['kX9', 'vT2', 'mQ7', 'pL4', 'zR8', 'wB3'].join('');
    world.write(`${HOME}/config.yaml`, `name: x\n# postgres://svc:${password}@db.internal/app\nrules: [a]\n`);
    expect(await world.findings()).toEqual([
      'What looks like a secret (connection-string) stands there in the clear. | ~/.gateway/config.yaml:2:18 | Put it into an environment variable, and write ${{ env.NAME }}.',
    ]);
  });
});

describe('agents and instructions', () => {
  const AGENT = '---\nname: reviewer\nmodel: coder\n---\nRead the change.\n';

  it('are those of the project, then of home', async () => {
    world.write(`${PROJECT}/config.yaml`, "models: [{name: Coder, endpoint: 'https://h'}]\n");
    world.write(`${PROJECT}/agents/reviewer.md`, AGENT);
    world.write(`${HOME}/agents/mine.md`, AGENT);
    world.write(`${HOME}/agents/other.md`, AGENT.replace('reviewer', 'other'));
    world.write(`${HOME}/agents/notes.txt`, 'no agent');
    const { agents, findings } = await world.report();
    expect(findings).toEqual([]);
    expect(agents).toEqual([
      { file: `${world.project}/.gateway/agents/reviewer.md`, name: 'reviewer', model: 'coder', hidden: false },
      { file: '~/.gateway/agents/mine.md', name: 'reviewer', model: 'coder', hidden: true },
      { file: '~/.gateway/agents/other.md', name: 'other', model: 'coder', hidden: false },
    ]);
    const { out } = await world.gw(['diagnose', '--output', '-']);
    expect(out).toMatch(/^reviewer +~\/\.gateway\/agents\/mine\.md, model coder, hidden by one of the project$/m);
  });

  it('that are not sound are findings, and do not hide the others', async () => {
    world.write(`${PROJECT}/agents/a.md`, 'Read.\n');
    world.write(`${PROJECT}/agents/b.md`, AGENT);
    world.write(`${PROJECT}/agents/c.md`, AGENT);
    symlinkSync('d.md', join(world.root, PROJECT, 'agents', 'd.md'));
    mkdirSync(join(world.root, PROJECT, 'agents', 'e.md'));
    const { agents, findings } = await world.report();
    expect(agents.map(({ name }) => name)).toEqual([null, 'reviewer', 'reviewer', null]);
    expect(findings.map(({ what }) => what)).toEqual([
      'It has no front matter.',
      'Two agents of one directory have the same name.',
      'The file cannot be read: link loop.',
    ]);
  });

  it('that ask for a model nobody has', async () => {
    world.write(`${HOME}/agents/a.md`, AGENT);
    expect(await whats()).toEqual([]); // without a configuration nobody knows
    world.write(`${HOME}/config.yaml`, "models: [{name: Other, model: x/y, endpoint: 'https://h'}]\n");
    expect(await whats()).toEqual(['The agent asks for the model coder, which no configuration has.']);
    world.write(`${HOME}/agents/a.md`, AGENT.replace('coder', 'X/Y'));
    expect(await whats()).toEqual([]);
  });

  it('are read from AGENTS.md, and CLAUDE.md where there is no other, and the rules at any depth', async () => {
    world.write('work/shop/CLAUDE.md', 'text');
    world.write(`${PROJECT}/rules/style.md`, 'größe');
    world.write(`${PROJECT}/rules/web/deep/forms.md`, 'text');
    world.write(`${PROJECT}/rules/web/picture.png`, 'text');
    const used = async (): Promise<unknown> =>
      (await world.report()).instructions.map(({ file, bytes, used }) => [
        file.slice(world.project.length + 1),
        bytes,
        used,
      ]);
    const rules = [
      ['.gateway/rules/style.md', 7, true],
      ['.gateway/rules/web/deep/forms.md', 4, true],
    ];
    expect(await used()).toEqual([['CLAUDE.md', 4, true], ...rules]);
    world.write('work/shop/AGENTS.md', '');
    expect(await used()).toEqual([['AGENTS.md', 0, true], ['CLAUDE.md', 4, false], ...rules]);
    expect((await world.gw(['diagnose', '--output', '-'])).out).toContain(
      'CLAUDE.md: 4 bytes, not used, for there is an AGENTS.md\n',
    );
  });

  it('may lead out of the project, loop, lie too deep, or be changed by everybody', async () => {
    world.write('home/casey/.ssh/id', 'a secret of mine');
    symlinkSync('../../home/casey/.ssh/id', join(world.project, 'AGENTS.md'));
    world.write(`${PROJECT}/rules/1/2/3/4/5/6/7/8/deep.md`, 'text');
    symlinkSync('/', join(world.root, PROJECT, 'rules', 'root.md'));
    symlinkSync('..', join(world.root, PROJECT, 'rules', 'up'));
    chmodSync(world.write(`${PROJECT}/rules/open.md`, 'text'), 0o666);
    const { findings, instructions } = await world.report();
    expect(findings.map(({ what, where }) => `${what} ${where.slice(world.project.length + 1)}`)).toEqual([
      'A link leads out of the project. It was not followed. AGENTS.md',
      'Others can change what your agents are told. .gateway/rules/open.md',
      'A link leads out of the project. It was not followed. .gateway/rules/root.md',
      'Rules lie too deep to be read. .gateway/rules/1/2/3/4/5/6/7/8',
    ]);
    expect(instructions.map(({ bytes }) => bytes)).toEqual([null, 4, null]);
  });

  it('that hold a secret would have every call refused', async () => {
    const token = ['ghp', 'R7mQx2Lk9TfWb4ZsVn6YcJd8HgPa3EuN5t1K'].join('_');
    world.write('work/shop/AGENTS.md', `Use this:\n  ${token}, twice: ${token}\n`);
    world.write(`${HOME}/agents/a.md`, `${AGENT}Use ${token}.\n`);
    const findings = await world.findings();
    expect(findings.map((finding) => finding.split(' | ')[1])).toEqual([
      '~/.gateway/agents/a.md:6:5',
      `${world.project}/AGENTS.md:2:3`,
    ]);
    expect(findings[0]).toMatch(
      /^What looks like a secret \(access-token\).*the gateway refuses a call that carries a secret\.$/,
    );
  });

  it('may be too many, or files in the place of directories', async () => {
    world.write(`${PROJECT}/agents`, 'text');
    for (let count = 0; count < 501; count += 1) world.write(`${PROJECT}/rules/${count}.md`, '');
    expect(await whats()).toEqual([
      'The agents cannot be read: not a directory.',
      'There are more than 500 files of rules.',
    ]);
    expect((await world.report()).instructions).toHaveLength(500);
    rmSync(join(world.root, PROJECT, 'rules', '0.md'));
    expect(await whats()).toEqual(['The agents cannot be read: not a directory.']);
    world.write(`${HOME}/rules`, 'text');
    world.write('work/other/.gateway/rules', 'text');
    const elsewhere = { environment: { workingDirectory: join(world.root, 'work', 'other') } };
    expect(await whats(elsewhere)).toEqual(['The rules cannot be read: not a directory.']);
  });
});
