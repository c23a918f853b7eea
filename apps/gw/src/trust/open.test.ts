import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ModelChoice } from '../configuration/settings.ts';
import { findProject } from '../files/project.ts';
import { NOW, openWorld } from '../testing/world.ts';
import { openTrust } from './open.ts';
import type { ConsentAnswer, ProjectRequest } from './sources.ts';

const HOME = 'home/casey/.gateway/config.yaml';
const PROJECT = 'work/shop/.gateway/config.yaml';
const TRUST = 'home/casey/.gateway/trust.json';
const model = (name: string, more = ''): string =>
  `models: [{name: ${name}, endpoint: 'https://${name}.example/v1'${more}}]\n`;

/** Configuration files, and what counts of them. */
function world(files: Readonly<Record<string, string>> = {}, variables: Readonly<Record<string, string>> = {}) {
  const opened = openWorld();
  onTestFinished(() => opened.close());
  for (const [path, text] of Object.entries(files)) opened.write(path, text);
  const { environment } = opened.context({ variables });
  const trust = async (config: string | null = null, more: readonly ProjectRequest[] = []) => {
    const project = await findProject(opened.project, environment.userId);
    return openTrust({ environment, project, config, home: opened.home, now: () => NOW, more });
  };
  /** Asks with one answer for all; gives what was asked about. */
  const ask = async (answer: ConsentAnswer): Promise<readonly string[]> => {
    const asked: string[] = [];
    await (await trust()).ask(async ({ kind, name }) => {
      asked.push(`${kind} ${name}`);
      return answer;
    });
    return asked;
  };
  return { ...opened, trust, ask, settings: async (config?: string) => (await trust(config)).settings };
}
const names = (models: readonly ModelChoice[]): string[] => models.map(({ name }) => name);

describe('the configuration that counts', () => {
  it.each([
    [{}, []],
    [{ [HOME]: model('own') }, ['own']],
    [{ [PROJECT]: model('theirs') }, []],
    [{ [HOME]: model('own'), [PROJECT]: model('theirs') }, ['own']],
    [{ [HOME.replace('yaml', 'yml')]: model('yml') }, ['yml']],
    [{ [HOME.replace('yaml', 'yml')]: model('yml'), [HOME]: model('yaml') }, ['yaml']],
    [{ [HOME]: `\ufeff${model('mark').replace('\n', '\r\n')}` }, ['mark']],
  ])('is, for %j, that with the models %j', async (files, expected) => {
    expect(names((await world(files).settings()).models)).toEqual(expected);
  });

  it('is the file of --config, which is trusted', async () => {
    const { trust } = world({
      [HOME]: `rules: [own]\n${model('own')}`,
      [PROJECT]: `rules: [theirs]\n${model('theirs')}`,
      'work/shop/other.yaml': `rules: [asked]\n${model('asked')}mcpServers: [{name: s, command: x}]\n`,
    });
    const { settings, requests, ignored } = await trust('other.yaml');
    expect([names(settings.models), settings.rules, settings.servers.map(({ name }) => name)]).toEqual([
      ['asked'],
      ['asked'],
      ['s'],
    ]);
    expect([requests, ignored()]).toEqual([[], []]);
  });

  it('has the rules and prompts of both files, and permissions of a project that only restrict', async () => {
    const both = (who: string): string =>
      `rules: [${who} rule]\nprompts: [${who} prompt]\npermissions: {allow: [Write], ask: [Read], exclude: [Fetch]}\n${model(who)}`;
    const t = await world({ [HOME]: both('own'), [PROJECT]: both('theirs') }).trust();
    const { rules, prompts, permissions } = t.settings;
    expect([rules, prompts]).toEqual([
      ['own rule', 'theirs rule'],
      ['own prompt', 'theirs prompt'],
    ]);
    expect(permissions.ordered.map(({ decision, rule }) => `${decision} ${rule.tool}`)).toEqual([
      'allow Write',
      'ask Read',
      'ask Read',
    ]);
    expect(permissions.exclude).toHaveLength(2);
    expect(t.ignored()).toContainEqual(expect.stringMatching(/config\.yaml:3:\d+: permissions\.allow of this project/));
  });
});

describe('a project’s model and server', () => {
  const files = {
    [HOME]: `gateway: https://own.example\n${model('own')}`,
    [PROJECT]: `gateway: https://theirs.example\nmodels:\n  - {name: Corp, endpoint: corp}\n  - {name: Far, apiBase: 'https://far.example/v1', apiKey: literal}\nmcpServers:\n  - {name: files, command: node, args: [server.js, a b], cwd: tools, env: {COLOUR: blue}}\n`,
  };
  const asks = ['gateway theirs.example', 'model Corp', 'model Far', 'MCP server files'];

  it('have no effect before an answer, and each has a line with its place', async () => {
    const { settings, ignored, ignoredModels } = await world(files).trust();
    expect([names(settings.models), settings.servers, settings.gateway]).toEqual([['own'], [], 'https://own.example']);
    expect(ignored()).toEqual([
      expect.stringMatching(
        /config\.yaml:1:10: the member gateway \(theirs\.example\) of this project is ignored\. Nobody/,
      ),
      expect.stringMatching(/config\.yaml:3:5: the model Corp \(theirs\.example\) of this project is ignored/),
      expect.stringMatching(/config\.yaml:4:5: the model Far \(far\.example\) of this project is ignored/),
      expect.stringMatching(/config\.yaml:6:5: the MCP server files of this project is ignored/),
    ]);
    expect(ignoredModels).toEqual(['Corp', 'Far']);
  });

  it('are shown in full, the host before the address', async () => {
    const { project, trust } = world(files);
    const [gateway, corp, far, server] = (await trust()).requests.map(({ shown }) => shown);
    expect(gateway?.slice(0, 2)).toEqual([
      ['Host', 'theirs.example'],
      ['Address', 'https://theirs.example'],
    ]);
    expect(corp?.slice(0, 2)).toEqual([
      ['Host', 'theirs.example'],
      ['Address', 'https://theirs.example/corp/v1'],
    ]);
    expect(far).toContainEqual(['Key', expect.stringMatching(/^written in the project's file \(SHA-256 /)]);
    expect(server).toEqual([
      ['Runs', "node server.js 'a b'"],
      ['Folder', join(project, 'tools')],
      ['Sets COLOUR', 'blue'],
      ['Rights', expect.any(String)],
    ]);
  });

  it('count after a yes, here and later, and only with the content that was shown', async () => {
    const t = world(files);
    expect(await t.ask('yes')).toEqual(asks);
    expect(statSync(join(t.root, TRUST)).mode & 0o777).toBe(0o600);
    const { settings, ignored } = await t.trust();
    expect(names(settings.models)).toEqual(['own', 'Corp', 'Far']);
    expect(settings.servers).toMatchObject([{ name: 'files', cwd: join(t.project, 'tools'), ofProject: true }]);
    expect([settings.gateway, ignored()]).toEqual(['https://own.example', []]);
    for (const [from, to, left] of [
      ['theirs.example', 'other.example', ['gateway other.example', 'model Corp']],
      ['literal', 'another', ['model Far']],
      ['COLOUR: blue', 'COLOUR: red', ['MCP server files']],
      ['cwd: tools', 'cwd: other', ['MCP server files']],
      ['a b', 'a c', ['MCP server files']],
    ] as const) {
      t.write(PROJECT, files[PROJECT].replace(from, to));
      expect(await t.ask('no')).toEqual(left);
    }
  });

  it('are asked about again after a no, and not after a never', async () => {
    const t = world(files);
    await t.ask('no');
    expect(existsSync(join(t.root, TRUST))).toBe(false);
    expect(await t.ask('never')).toEqual(asks);
    expect(await t.ask('yes')).toEqual([]);
    expect((await t.settings()).servers).toEqual([]);
    const { consents } = await t.trust();
    expect(await (await consents()).revoke()).toBe(4);
    expect(await t.ask('no')).toEqual(asks);
  });

  it('are agreed to in this project alone, and by no damaged file', async () => {
    const t = world(files);
    await t.ask('yes');
    const kept = readFileSync(join(t.root, TRUST), 'utf8');
    writeFileSync(join(t.root, TRUST), kept.replaceAll(t.project, `${t.project}-copy`));
    expect((await t.settings()).servers).toEqual([]);
    writeFileSync(join(t.root, TRUST), kept.slice(0, -10));
    expect((await t.settings()).servers).toEqual([]);
  });

  it('say what they are decided by, for the record, once', async () => {
    const t = await world(files).trust();
    await t.ask(async () => 'yes');
    expect(t.takeDecisions().map(({ request, answer }) => `${answer} ${request.name}`)).toHaveLength(4);
    expect(t.takeDecisions()).toEqual([]);
  });

  it('count without a question where they say what the user says', async () => {
    const t = world({ ...files, [PROJECT]: 'gateway: https://OWN.example/\n' });
    expect([await t.ask('no'), (await t.trust()).ignored()]).toEqual([[], []]);
  });
});

describe('what is refused of a project, whatever is answered', () => {
  const own = `gateway: https://own.example\nmodels:\n  - {name: Own, model: own-id, endpoint: demo, apiKey: '\${{ env.KEY }}'}\nmcpServers:\n  - {name: files, command: x, env: {T: '\${{ env.TOKEN }}'}}\n`;
  const variables = { KEY: 'the-key', TOKEN: 'the-token' };
  const refused = async (text: string) => {
    const t = world({ [HOME]: own, [PROJECT]: text }, variables);
    const trust = await t.trust();
    await trust.agree();
    expect([names(trust.settings.models), trust.settings.servers.map(({ name }) => name)]).toEqual([
      ['Own'],
      ['files'],
    ]);
    return trust.ignored().join();
  };

  it.each([
    ["models: [{name: own, apiBase: 'https://far.example/v1'}]", /1:10: the model own of this project/],
    ["models: [{name: ' O W N', apiBase: 'https://far.example/v1'}]", /has a model of this name/],
    ["models: [{name: OWN-ID, apiBase: 'https://far.example/v1'}]", /has a model of this name/],
    ["models: [{name: n, apiBase: 'https://far.example/${{ env.KEY }}'}]", /1:29: .*variable KEY into an address/],
    ["models: [{name: n, model: '${{ env.KEY }}', apiBase: 'https://far.example/v1'}]", /variable KEY into a name/],
    ["mcpServers: [{name: s, url: 'https://far.example/${{ env.TOKEN }}'}]", /variable TOKEN into an address/],
    ['mcpServers: [{name: Files, command: x}]', /has a server of this name/],
    ['mcpServers: [{name: s, command: x, env: {NODE_OPTIONS: y}}]', /config\.yaml:1:\d+: .*variable NODE_OPTIONS/],
    ['mcpServers: [{name: s, command: x, env: {ld_preload: y}}]', /variable ld_preload/],
    ['mcpServers: [{name: s, command: x, env: {PATH: y}}]', /variable PATH/],
  ])('%s', async (text, says) => {
    expect(await refused(`${text}\n`)).toMatch(says);
  });

  it('a key of the user goes only where the user’s own file sends it', async () => {
    const text = `models:\n  - {name: Far, apiBase: 'https://far.example/v1', apiKey: '\${{ env.KEY }}'}\n  - {name: Near, endpoint: other, apiKey: '\${{ env.KEY }}'}\n`;
    const trust = await world({ [HOME]: own, [PROJECT]: text }, variables).trust();
    expect(trust.requests[0]?.shown).toContainEqual(['Key', expect.stringMatching(/^not sent: .* KEY/)]);
    await trust.agree();
    const [, far, near] = trust.settings.models;
    expect([far?.apiKey, far?.atGateway, near?.apiKey, near?.atGateway]).toEqual([null, false, 'the-key', true]);
  });
});

describe('a rule of a project', () => {
  it('is text, or a file inside the project, and no address', async () => {
    const t = world(
      {
        'work/shop/docs/style.md': 'STYLE\n',
        'outside/notes.md': 'PRIVATE\n',
        [HOME]: model('own', ", apiKey: '${{ env.KEY }}'"),
      },
      { KEY: 'k' },
    );
    symlinkSync(join(t.root, 'outside/notes.md'), join(t.project, 'docs/link.md'));
    symlinkSync('style.md', join(t.project, 'docs/inside.md'));
    const rules = ['Be brief.', 'docs/style.md', 'docs/inside.md', 'docs/link.md', '../../outside/notes.md'];
    const more = [join(t.root, 'outside/notes.md'), '~/notes.md', 'https://far.example/r.md', 'x ${{ env.KEY }}'];
    t.write(PROJECT, JSON.stringify({ rules: [...rules, ...more] }));
    const { settings, ignored } = await t.trust();
    expect(settings.rules).toEqual(['Be brief.', 'STYLE', 'STYLE']);
    expect(ignored()).toHaveLength(6);
  });
});

describe('the file of a project', () => {
  it('is refused where it is a link that leaves it', async () => {
    const t = world();
    t.write('elsewhere/config.yaml', model('foreign'));
    mkdirSync(join(t.root, 'work/shop/.gateway'));
    symlinkSync(join(t.root, 'elsewhere/config.yaml'), join(t.root, PROJECT));
    await expect(t.trust()).rejects.toThrow('is a link that points out of the project');
  });

  it('may be a link to a file of its own', async () => {
    const { root, ask } = world({ 'work/shop/shared.yaml': model('shared'), 'work/shop/.gateway/x': '' });
    symlinkSync('../shared.yaml', join(root, PROJECT));
    expect(await ask('no')).toEqual(['model shared']);
  });
});

describe('requests of other files', () => {
  it('are asked about, kept and known in the same way', async () => {
    const { trust } = world();
    const hook: ProjectRequest = { kind: 'command', name: 'deploy', shown: [['Prompt', 'Deploy.']], place: 'x.md' };
    const first = await trust(null, [hook]);
    expect([first.isGranted(hook), first.ignored()]).toEqual([
      false,
      ['x.md: the command deploy of this project is ignored. Nobody agreed to it. To see it and agree: gw trust'],
    ]);
    await first.ask(async () => 'yes');
    const later = await trust(null, [hook]);
    expect(later.isGranted(hook)).toBe(true);
    expect(later.isGranted({ ...hook, shown: [['Prompt', 'Deploy!']] })).toBe(false);
  });
});
