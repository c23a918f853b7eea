import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findProject } from '../files/project.ts';
import { withoutPrivileges } from '../testing/rights.ts';
import { openWorld } from '../testing/world.ts';
import { readSources } from './sources.ts';

const HOME = 'home/casey/.gateway/config.yaml';
const PROJECT = 'work/shop/.gateway/config.yaml';
const MODEL = "models: [{ name: m, endpoint: 'https://m.example/v1' }]\n";

function world(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  variables: Readonly<Record<string, string>> = {},
) {
  const opened = openWorld();
  onTestFinished(() => opened.close());
  for (const [path, content] of Object.entries(files)) opened.write(path, content);
  const { environment } = opened.context({ variables });
  return {
    ...opened,
    load: async (asked: string | null = null, project = opened.project) =>
      readSources(environment, await findProject(project, environment.userId), asked),
  };
}

describe('a fault of a configuration', () => {
  it.each<[string, string, string]>([
    [
      'the user’s',
      HOME,
      '~/.gateway/config.yaml:2:1: modles is not a known member. Did you mean "models"? Otherwise remove it.',
    ],
    ['a project’s', PROJECT, '/work/shop/.gateway/config.yaml:2:1: modles is not a known member.'],
  ])('is named with the path of %s file, line and column', async (_, path, says) => {
    await expect(world({ [path]: 'name: x\nmodles: []\n' }).load()).rejects.toThrow(says);
  });

  it('is the misspelt member first, and how many more there are', async () => {
    const text = 'models:\n  - name: a\n    endpoit: https://a.example\n    maxTokens: -1\n';
    await expect(world({ [HOME]: text }).load()).rejects.toThrow(
      /^~\/\.gateway\/config\.yaml:3:5: models\.0\.endpoit is not a known member\. .*Did you mean "endpoint"\? .* \(\d more; run gw diagnose\)$/,
    );
  });

  it.each([
    ['models: [{ name: a }]\n', 'models.0 needs one of endpoint and apiBase. Give one of the two, not both.'],
    [
      'models: [{ name: a, endpoint: demo }]\n',
      'models.0.endpoint is a name, and no gateway is configured. Add gateway:',
    ],
    [
      "models: [{ name: a, endpoint: 'https://u:p@a.example' }]\n",
      'must be an http or https address without user name and password.',
    ],
    ['permissions: { allow: ["Everything"] }\n', 'permissions.allow.0 is not a rule. Write Tool or Tool(pattern)'],
    ['mcpServers: [{ name: a, command: b, url: "https://a.example" }]\n', 'mcpServers.0 needs one of command and url.'],
    ['rules: ["${{ secrets.A }}"]\n', 'A reference is written in a form that is not known. Write ${{ env.NAME }}.'],
    ['a: &x [*x\n', '~/.gateway/config.yaml:'],
    ['', '~/.gateway/config.yaml:1:1: the file is empty.'],
    ['- a\n', '~/.gateway/config.yaml:1:1: the file must be an object.'],
  ])('of %j says how to repair it', async (text, says) => {
    await expect(world({ [HOME]: text }).load()).rejects.toThrow(says);
  });

  it('of the user’s own file counts beside a project that is whole', async () => {
    await expect(world({ [HOME]: 'modles: []\n', [PROJECT]: MODEL }).load()).rejects.toThrow(
      '~/.gateway/config.yaml:1:1',
    );
  });

  it.each([
    ['is no text', Uint8Array.of(0x6e, 0xff, 0xfe, 0x00)],
    ['is a text of another encoding', Buffer.from('name: x\n', 'utf16le')],
  ])('is that the file %s', async (_, content) => {
    await expect(world({ [HOME]: content }).load()).rejects.toThrow(
      /^~\/\.gateway\/config\.yaml(?: cannot be read\.|:\d+:\d+:)/,
    );
  });

  it('is that the file may not be read, or is a folder', async () => {
    const { root, load } = world({ [HOME]: MODEL });
    for (const folder of [root, join(root, 'home'), join(root, 'home/casey'), join(root, 'home/casey/.gateway')])
      chmodSync(folder, 0o755);
    chmodSync(join(root, HOME), 0o000);
    await expect(withoutPrivileges(load)).rejects.toThrow(/^~\/\.gateway\/config\.yaml cannot be read\. /);
    const other = world();
    mkdirSync(join(other.root, HOME), { recursive: true });
    await expect(other.load()).rejects.toThrow(/^~\/\.gateway\/config\.yaml cannot be read\. /);
  });
});

describe('the file of --config', () => {
  it('that is not there, or is a folder, is refused with its name', async () => {
    const { load } = world();
    await expect(load('./nowhere.yaml')).rejects.toThrow(
      '--config ./nowhere.yaml: there is no such file. Correct the path.',
    );
    await expect(load('.')).rejects.toThrow(/^--config \. cannot be read: /);
  });

  it('may use any variable, and others do not count beside it', async () => {
    const files = {
      [HOME]: 'modles: []\n',
      [PROJECT]: 'also broken: [',
      'work/shop/mine.yaml': 'rules: ["${{ env.RULE }}"]\n',
    };
    const { user, project } = await world(files, { RULE: 'Be brief.' }).load('mine.yaml');
    expect([user?.origin, user?.value.rules, project]).toEqual(['user', ['Be brief.'], null]);
  });
});

describe('the configuration of a home that is a project itself', () => {
  it('is the user’s own, once', async () => {
    const { home, load } = world({ [HOME]: `${MODEL}rules: ["\${{ env.RULE }}"]\n` }, { RULE: 'r' });
    const { user, project } = await load(null, home);
    expect([user?.origin, user?.value.rules, project]).toEqual(['user', ['r'], null]);
  });
});

describe('a variable', () => {
  it('that only a project names is refused with its place, before it is looked up', async () => {
    const files = { [HOME]: MODEL, [PROJECT]: `${MODEL}rules:\n  - "\${{ env.AWS_SECRET }}"\n` };
    const refused = world(files, { AWS_SECRET: 'the-secret' }).load();
    await expect(refused).rejects.toThrow(
      /work\/shop\/\.gateway\/config\.yaml:3:\d+: a project may not use the variable AWS_SECRET,/,
    );
    await expect(refused).rejects.not.toThrow('the-secret');
  });

  it('is inserted at every depth, in texts alone', async () => {
    const text =
      'mcpServers:\n  - name: "${{ env.A }}"\n    command: x\n    args: ["-k", "${{ env.A }}-${{ env.B }}"]\n    env: { KEY: "${{ env.B }}" }\n';
    const { user } = await world({ [HOME]: text }, { A: 'one', B: '${{ env.A }}' }).load();
    expect(user?.value.mcpServers).toEqual([
      { name: 'one', command: 'x', args: ['-k', 'one-${{ env.A }}'], env: { KEY: '${{ env.A }}' } },
    ]);
  });
});

describe('the gateway of the user', () => {
  const own = { [HOME]: 'gateway: https://own.example/\n', [PROJECT]: 'gateway: https://theirs.example\n' };
  it.each([
    ['the variable', own, { GATEWAY_URL: 'https://asked.example//' }, null, 'https://asked.example'],
    ['the user’s file, never that of a project', own, {}, null, 'https://own.example'],
    ['nowhere where only a project names one', { [PROJECT]: own[PROJECT] ?? '' }, {}, null, null],
    [
      'the file of --config',
      { ...own, 'work/shop/c.yaml': 'gateway: https://c.example\n' },
      {},
      'c.yaml',
      'https://c.example',
    ],
    [
      'the user’s file, where --config names none',
      { ...own, 'work/shop/c.yaml': MODEL },
      {},
      'c.yaml',
      'https://own.example',
    ],
    [
      'the user’s file though it has a fault, where --config names none',
      {
        [HOME]: 'modles: []\ngateway: https://own.example\n',
        'work/shop/c.yaml': 'models: [{ name: m, endpoint: demo }]\n',
      },
      {},
      'c.yaml',
      'https://own.example',
    ],
  ] as const)('is from %s', async (_, files, variables, asked, gateway) => {
    expect((await world(files, variables).load(asked)).gateway).toBe(gateway);
  });

  it.each(['gateway.example', 'file:///etc/passwd', 'https://casey:word@gateway.example', 'javascript:1'])(
    'is refused as %s, without repeating it',
    async (GATEWAY_URL) => {
      await expect(world({ [HOME]: MODEL }, { GATEWAY_URL }).load()).rejects.toThrow(
        /^GATEWAY_URL must be an http or https address without user name and password\.$/,
      );
    },
  );
});
