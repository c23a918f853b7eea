import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findProject } from '../project/project.ts';
import { openWorld } from '../testing/world.ts';
import { chooseModel, findModel, type ModelChoice, readSettings } from './settings.ts';

const HOME = 'home/casey/.gateway/config.yaml';
const PROJECT = 'work/shop/.gateway/config.yaml';
const model = (name: string, more = ''): string =>
  `models: [{name: ${name}, endpoint: 'https://${name}.example/v1'${more}}]\n`;

/** Configuration files, and the settings that follow from them. */
function world(files: Readonly<Record<string, string>> = {}, variables: Readonly<Record<string, string>> = {}) {
  const opened = openWorld();
  onTestFinished(() => opened.close());
  for (const [path, text] of Object.entries(files)) opened.write(path, text);
  const { environment } = opened.context({ variables });
  const settings = async (asked: string | null = null) =>
    readSettings(environment, await findProject(opened.project, environment.userId), asked);
  return { ...opened, settings };
}
const names = (models: readonly ModelChoice[]): string[] => models.map(({ name }) => name);

describe('the configuration that counts', () => {
  it.each([
    [{}, []],
    [{ [HOME]: model('own') }, ['own']],
    [{ [PROJECT]: model('theirs') }, ['theirs']],
    [{ [HOME]: model('own'), [PROJECT]: model('theirs') }, ['theirs']],
    [{ [HOME]: model('own'), [PROJECT]: 'rules: [x]\n' }, ['own']],
    [{ [HOME]: model('own'), [PROJECT]: 'models: []\n' }, ['own']],
    [{ [HOME.replace('yaml', 'yml')]: model('yml') }, ['yml']],
    [{ [HOME.replace('yaml', 'yml')]: model('yml'), [HOME]: model('yaml') }, ['yaml']],
    [{ [HOME]: `\ufeff${model('mark').replace('\n', '\r\n')}` }, ['mark']],
  ])('is, for %j, that with the models %j', async (files, expected) => {
    expect(names((await world(files).settings()).models)).toEqual(expected);
  });

  it('is the file of --config alone, which is trusted', async () => {
    const { settings } = world({
      [HOME]: `rules: [own]\n${model('own')}`,
      [PROJECT]: `rules: [theirs]\n${model('theirs')}`,
      'work/shop/other.yaml': `rules: [asked]\n${model('asked')}mcpServers: [{name: s, command: x}]\n`,
    });
    const { models, rules, servers } = await settings('other.yaml');
    expect([names(models), rules, servers.map(({ trusted }) => trusted)]).toEqual([['asked'], ['asked'], [true]]);
  });

  it('adds rules, prompts and servers of both files, and marks servers of the project', async () => {
    const both = (who: string): string =>
      `rules: [${who} rule]\nprompts: [${who} prompt]\nmcpServers: [{name: ${who}, command: x}]\n${model(who)}`;
    const { rules, prompts, servers } = await world({ [HOME]: both('own'), [PROJECT]: both('theirs') }).settings();
    expect([rules, prompts, servers.map(({ name, trusted }) => [name, trusted])]).toEqual([
      ['theirs rule', 'own rule'],
      ['theirs prompt', 'own prompt'],
      [
        ['theirs', false],
        ['own', true],
      ],
    ]);
  });

  it('allows nothing that only a project allows, and says so', async () => {
    const rules = 'permissions: {allow: [Write], ask: [Read], exclude: [Fetch]}\n';
    const { permissions } = await world({ [HOME]: model('own'), [PROJECT]: rules }).settings();
    expect(permissions.ordered.map(({ decision, rule }) => `${decision} ${rule.tool}`)).toEqual(['ask Read']);
    expect(permissions.exclude.map(({ tool }) => tool)).toEqual(['Fetch']);
    expect(permissions.notices).toEqual([expect.stringContaining('permissions.allow of a project does not count')]);
  });
});

describe('a project', () => {
  const secret = model('theirs', `, apiKey: '\${{ env.MY_KEY }}'`);

  it('uses no variable that the user does not name', async () => {
    const { settings } = world({ [HOME]: model('own'), [PROJECT]: secret }, { MY_KEY: 'key' });
    await expect(settings()).rejects.toThrow(/config\.yaml:1:\d+: a project may not use the variable MY_KEY/);
  });

  it('uses a variable that the user names, or that --config trusts', async () => {
    const own = model('own', `, apiKey: '\${{ env.MY_KEY }}'`);
    const { settings } = world({ [HOME]: own, [PROJECT]: secret }, { MY_KEY: 'key' });
    expect((await settings()).models[0]).toMatchObject({ name: 'theirs', apiKey: 'key' });
    const other = world({ [PROJECT]: secret }, { MY_KEY: 'key' });
    expect((await other.settings(join('.gateway', 'config.yaml'))).models[0]?.apiKey).toBe('key');
  });

  it('is refused where its file is a link that leaves it', async () => {
    const opened = world();
    const { root, settings } = opened;
    opened.write('elsewhere/config.yaml', model('foreign'));
    mkdirSync(join(root, 'work/shop/.gateway'));
    symlinkSync(join(root, 'elsewhere/config.yaml'), join(root, PROJECT));
    await expect(settings()).rejects.toThrow('is a link that points out of the project');
  });

  it('may have a link to a file of its own', async () => {
    const { root, settings } = world({ 'work/shop/shared.yaml': model('shared'), 'work/shop/.gateway/x': '' });
    symlinkSync('../shared.yaml', join(root, PROJECT));
    expect(names((await settings()).models)).toEqual(['shared']);
  });
});

describe('a variable', () => {
  const file = { [HOME]: model('own', `, apiKey: 'a\${{ env.ONE }}b\${{ env.TWO }}'`) };

  it('is inserted as it is, and not read again', async () => {
    const { models } = await world(file, { ONE: `$& \${{ env.TWO }}: "x"`, TWO: '2' }).settings();
    expect(models[0]?.apiKey).toBe(`a$& \${{ env.TWO }}: "x"b2`);
  });

  it('that is not set is named with its place, and without a value', async () => {
    await expect(world(file, { ONE: 'secret-value' }).settings()).rejects.toThrow(
      /^~\/\.gateway\/config\.yaml:1:\d+: the variable TWO is not set\. Set it, and export it\.$/,
    );
  });
});

describe('the gateway', () => {
  const file = `gateway: https://configured.example/\nmodels: [{name: a, endpoint: demo}, {name: b, endpoint: 'https://other.example/v1'}]\n`;

  it.each([
    [{}, 'https://configured.example'],
    [{ GATEWAY_URL: 'https://asked.example//' }, 'https://asked.example'],
  ])('with %j is %s', async (variables, gateway) => {
    const settings = await world({ [HOME]: file }, variables).settings();
    expect([settings.gateway, settings.models.map(({ address, atGateway }) => [address, atGateway])]).toEqual([
      gateway,
      [
        [`${gateway}/demo/v1`, true],
        ['https://other.example/v1', false],
      ],
    ]);
  });

  it.each(['gateway.example', 'file:///etc/passwd', 'https://casey:word@gateway.example', 'javascript:1'])(
    'is refused as %s, without repeating it',
    async (GATEWAY_URL) => {
      const read = world({ [HOME]: file }, { GATEWAY_URL }).settings();
      await expect(read).rejects.toThrow(
        /^GATEWAY_URL must be an http or https address without user name and password\.$/,
      );
    },
  );

  it('gets its credential for no address that only begins like it', async () => {
    const models = `gateway: https://gateway.example\nmodels: [{name: a, endpoint: 'https://gateway.example.evil/v1'}]\n`;
    expect((await world({ [HOME]: models }).settings()).models[0]?.atGateway).toBe(false);
  });
});

describe('the model to begin with', () => {
  const choices = async (): Promise<readonly ModelChoice[]> => {
    const list = `models:
  - {name: Completer, endpoint: 'https://h/v1', roles: [autocomplete]}
  - {name: Coder, model: vendor/coder, endpoint: 'https://h/v1'}
  - {name: vendor/coder, model: other, endpoint: 'https://h/v1'}
`;
    return (await world({ [HOME]: list }).settings()).models;
  };

  it.each([
    [null, null, 'Coder'],
    [null, 'completer', 'Completer'],
    ['CODER', 'completer', 'Coder'],
    ['VENDOR/coder', null, 'vendor/coder'],
    ['other', null, 'vendor/coder'],
  ])('with --model %s and the agent’s %s is %s', async (option, agent, name) => {
    expect(chooseModel(await choices(), { option, agent }).name).toBe(name);
  });

  it.each([
    ['', /^--model : no model has this name/],
    ['Code', /^--model Code: no model has this name\. There are: Completer, Coder \(vendor\/coder\), /],
  ])('is never one that was not asked for: %j', async (option, message) => {
    const models = await choices();
    expect(() => chooseModel(models, { option, agent: 'coder' })).toThrow(message);
    expect(findModel(models, option)).toBeNull();
  });
});
