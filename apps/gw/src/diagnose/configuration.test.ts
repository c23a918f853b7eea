import { chmodSync, mkdirSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorld, type World } from '../testing/world.ts';

let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const HOME = 'home/casey/.gateway';
const PROJECT = 'work/shop/.gateway';
const KEY = `gwk_${'0123456789abcdef'.repeat(3)}`;

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
        fix: 'Set it where you start the client, and export it.',
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
    [KEY, 'A key is there in plain text.', true],
    ['a-short-one', 'A key is there in plain text.', false],
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
    expect((await world.whats({ variables: { GATEWAY_KEY: KEY } }))[0]).toBe(
      what.replace('text.', 'text, and others can read the file.'),
    );
  });

  it('that names a key spoiled in copying', async () => {
    world.write(
      `${HOME}/config.yaml`,
      `models: [{name: a, endpoint: 'https://h', apiKey: '\${{ env.GATEWAY_KEY }}'}]\n`,
    );
    for (const value of [KEY.slice(0, -1), KEY.toUpperCase(), `${KEY}0`])
      expect(await world.whats({ variables: { GATEWAY_KEY: value } })).toEqual([
        'The key begins like an account key, but it is not one.',
      ]);
    for (const value of [`${KEY}\n`, `"${KEY}"`, ` ${KEY}`]) {
      const found = await world.whats({ variables: { GATEWAY_KEY: value } });
      expect(found).toEqual([expect.stringMatching(/^The value of GATEWAY_KEY begins or ends with a blank/)]);
    }
    expect(await world.whats({ variables: { GATEWAY_KEY: 'another-service' } })).toEqual([]);
  });

  it('that is invalid shows each fault with its position, and still its models', async () => {
    world.write(`${HOME}/config.yaml`, `modles: []\r\nmodels:\r\n  - name: a\r\n    apiKey: ${KEY}\r\n`);
    const { configurations, findings } = await world.report();
    expect(findings.map(({ what, where }) => `${where} ${what}`)).toEqual([
      '~/.gateway/config.yaml:4:13 A key is there in plain text.',
      '~/.gateway/config.yaml:1:1 modles is not a known member.',
      '~/.gateway/config.yaml:3:5 models[0] needs one of endpoint and apiBase.',
    ]);
    expect(configurations[0]).toMatchObject({ sound: false, models: [{ name: 'a', address: null }] });
  });

  it('with very many faults shows the first ones', async () => {
    world.write(`${HOME}/config.yaml`, Array.from({ length: 50 }, (_, at) => `member${at}: 1\n`).join(''));
    const findings = await world.findings();
    expect(findings).toHaveLength(21);
    expect(findings.at(-1)).toBe('More is wrong: 30 faults. | ~/.gateway/config.yaml | Correct the first ones.');
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

  it('that contains a secret anywhere shows its line and its kind', async () => {
    const password = ['kX9', 'vT2', 'mQ7', 'pL4', 'zR8', 'wB3'].join('');
    world.write(`${HOME}/config.yaml`, `name: x\n# postgres://svc:${password}@db.internal/app\nrules: [a]\n`);
    expect(await world.findings()).toEqual([
      'What looks like a secret (connection-string) is there in plain text. | ~/.gateway/config.yaml:2:18 | Put it into an environment variable, and write ${{ env.NAME }}.',
    ]);
  });
});
