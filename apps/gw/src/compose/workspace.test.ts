import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandFailed, WrongUsage } from '../process/fault.ts';
import { openWorld, type RunOptions, type World } from '../testing/world.ts';
import type { SessionOptions } from './session-options.ts';
import { openWorkspace, readSavedState } from './workspace.ts';

let world: World;
beforeEach(() => {
  world = openWorld();
  configure('');
});
afterEach(() => world.close());

const OPTIONS: SessionOptions = {
  config: null,
  org: null,
  mode: 'normal',
  verbose: false,
  statusTool: false,
  rules: [],
  servers: [],
  model: null,
  prompts: [],
  tools: [],
  agent: null,
  addedFolders: [],
};
const open = (options: Partial<SessionOptions> = {}, change: RunOptions = {}) =>
  openWorkspace(world.context(change), { ...OPTIONS, ...options });

/** The user's configuration: a model of its own address, one at the gateway, and more. */
function configure(more: string): void {
  world.write(
    'home/casey/.gateway/config.yaml',
    `models:
  - { name: Own, model: own-id, endpoint: "http://127.0.0.1:1/v1", apiKey: key-of-own }
  - { name: Shared, model: shared-id, endpoint: chat }
gateway: https://gateway.example
${more}`,
  );
}

describe('a workspace', () => {
  it('is the project of the current folder, links resolved, with the folder itself', async () => {
    world.git('init');
    mkdirSync(join(world.project, 'src'));
    symlinkSync(join(world.project, 'src'), join(world.root, 'link'));
    const opened = await open({}, { environment: { workingDirectory: join(world.root, 'link') } });
    expect([opened.project.directory, opened.cwd]).toEqual([world.project, join(world.project, 'src')]);
    expect(opened.promptFacts).toMatchObject({ project: world.project, repository: true, today: '2026-11-21' });
    expect(opened.ownFolder).toBe(join(world.home, '.gateway'));
  });

  it('needs a home, and a folder that still exists', async () => {
    await expect(open({}, { environment: { homeDirectory: null } })).rejects.toThrow(
      new WrongUsage('You have no home directory. Set HOME: sessions and their record are kept there.'),
    );
    await expect(open({}, { environment: { workingDirectory: null } })).rejects.toThrow(
      new CommandFailed('The current folder no longer exists. Change to another one.'),
    );
  });

  it('refuses an organization, which nothing resolves', async () => {
    await expect(open({ org: 'acme' })).rejects.toThrow(/^--org acme: organizations do not resolve/);
  });

  it('knows its own folder where that is a link', async () => {
    rmSync(join(world.home, '.gateway'), { recursive: true });
    mkdirSync(join(world.root, 'elsewhere'));
    symlinkSync(join(world.root, 'elsewhere'), join(world.home, '.gateway'));
    configure('');
    expect((await open()).ownFolder).toBe(join(world.root, 'elsewhere'));
  });
});

describe('the rules for the model', () => {
  it('are those of the configuration, then of --rule, then of the agent', async () => {
    configure('rules: ["Of the configuration."]');
    world.write('work/shop/style.md', 'Of a file.\n');
    world.write(
      'home/casey/.gateway/agents/reviewer.md',
      '---\nname: reviewer\nrules: ["Of the agent."]\n---\nYou review.\n',
    );
    const { promptFacts } = await open({ rules: ['Of the line.', 'style.md'], agent: 'reviewer' });
    expect(promptFacts.rules.map((rule) => rule.trim())).toEqual([
      'Of the configuration.',
      'Of the line.',
      'Of a file.',
      'Of the agent.',
    ]);
  });
});

describe('the first message', () => {
  it('has what was piped in, --prompt, the agent and the prompt, with blank lines between', async () => {
    world.write('home/casey/.gateway/agents/reviewer.md', '---\nname: reviewer\n---\nYou review.\n');
    const opened = await open({ prompts: ['First.', ' Second. '], agent: 'reviewer' });
    expect(await opened.firstMessage('piped\n', 'Go.')).toBe('piped\n\nFirst.\n\nSecond.\n\nYou review.\n\nGo.');
    expect(await opened.firstMessage(' \n', null)).toBe('First.\n\nSecond.\n\nYou review.');
  });

  it('is none where everything is blank', async () => {
    const opened = await open();
    expect([await opened.firstMessage('', null), await opened.firstMessage(' \n', '\t')]).toEqual([null, null]);
  });
});

describe('the model', () => {
  it('of --model outranks that of the agent, and the agent the configuration', async () => {
    world.write('home/casey/.gateway/agents/one.md', '---\nname: one\nmodel: shared\n---\nGo.\n');
    expect((await open()).model.name).toBe('Own');
    expect((await open({ agent: 'one' })).model.name).toBe('Shared');
    expect((await open({ agent: 'one', model: 'OWN-ID' })).model.name).toBe('Own');
  });

  it('is found by name and identifier, in any letter case', async () => {
    const opened = await open();
    for (const name of ['Own', 'own-id', 'OWN']) expect(opened.findModel(name)?.name).toBe('Own');
    expect(opened.findModel('other')).toBeNull();
  });
});

describe('the proof of identity', () => {
  const stored = (gateway: string): void => {
    const gateways = { [gateway]: { kind: 'key', key: 'key-of-gw-login' } };
    world.write('home/casey/.gateway/credentials.json', JSON.stringify({ version: 1, gateways }));
  };

  it('for a model is its own key, and is sent nowhere else', async () => {
    const opened = await open();
    expect(await opened.proofFor(opened.model)).toBe('key-of-own');
    expect(await opened.gatewayProof()).toBeNull();
  });

  it('for the gateway is the key of a model there', async () => {
    configure('');
    world.write(
      'home/casey/.gateway/config.yaml',
      `gateway: https://gateway.example
models:
  - { name: Own, model: own-id, endpoint: "http://127.0.0.1:1/v1", apiKey: key-of-own }
  - { name: Shared, model: shared-id, endpoint: chat, apiKey: key-at-the-gateway }
`,
    );
    expect(await (await open()).gatewayProof()).toBe('key-at-the-gateway');
  });

  it('that gw login stored is used at this gateway, and for no model elsewhere', async () => {
    stored('https://gateway.example');
    const opened = await open({ model: 'Shared' });
    expect([await opened.proofFor(opened.model), await opened.gatewayProof()]).toEqual([
      'key-of-gw-login',
      'key-of-gw-login',
    ]);
    world.write('home/casey/.gateway/config.yaml', 'models: [{ name: Bare, endpoint: "http://127.0.0.1:1/v1" }]\n');
    const bare = await open();
    expect(await bare.proofFor(bare.model)).toBeNull();
  });

  it('that was stored for another gateway is not used', async () => {
    stored('https://other.example');
    const opened = await open({ model: 'Shared' });
    expect([await opened.proofFor(opened.model), await opened.gatewayProof()]).toEqual([null, null]);
  });
});

describe('the session to continue', () => {
  const lines: string[] = [];
  const saved = async (asked: { resume?: boolean; fork?: string | null; session?: string | null }) =>
    readSavedState(await open(), { resume: false, fork: null, ...asked }, (line) => void lines.push(line));

  it('is none unless one is asked for', async () => {
    expect(await saved({})).toBeNull();
    expect(await saved({ session: '0198c0de-0000-7000-8000-000000000000' })).toBeNull();
  });

  it('that does not exist is refused, with what to do', async () => {
    await expect(saved({ resume: true })).rejects.toThrow(/no session of this repository yet\. Start one without/);
    await expect(saved({ fork: 'x' })).rejects.toThrow('--fork x: there is no session of this identifier. Run gw ls.');
  });
});
