import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Configuration } from '../configuration/shape.ts';
import { findProject } from '../files/project.ts';
import { NOW, openWorld } from '../testing/world.ts';
import { decide, loadsCode } from './decide.ts';
import { digestOf, factsOf, keyOf, type Member, membersOf } from './members.ts';
import { openTrust } from './open.ts';
import type { Source, Sources } from './sources.ts';

const VARIABLES = { GATEWAY_KEY: 'key-of-the-user', TOKEN: 'token-of-the-user' };
const GATEWAY = 'https://own.example';
const KEY = '${{ env.GATEWAY_KEY }}';

const USER: Configuration = {
  gateway: GATEWAY,
  models: [
    { name: 'Own', endpoint: 'demo', apiKey: KEY },
    { name: 'Elsewhere', apiBase: 'https://engine.example/v1' },
  ],
  mcpServers: [{ name: 'files', command: 'files', env: { TOKEN: '${{ env.TOKEN }}' } }],
  permissions: { allow: ['Read'] },
};

const address = fc.constantFrom(
  GATEWAY,
  `${GATEWAY}/x/v1`,
  'https://far.example/v1',
  'http://127.0.0.1:9/a',
  `${GATEWAY}.evil/v1`,
  `https://far.example/${KEY}`,
);
const word = fc.constantFrom(
  'a',
  'Own',
  'OWN',
  ' own',
  'files',
  'Files',
  'https://far.example/r.md',
  '/etc/passwd',
  KEY,
  'x y',
);
const name = word.filter((one) => one.trim() !== '');
const model = fc.record(
  {
    name,
    model: name,
    endpoint: fc.oneof(address, fc.constant('demo')),
    apiKey: fc.constantFrom('literal', KEY, `a${KEY}`),
  },
  { requiredKeys: ['name', 'endpoint'] },
);
const server = fc.oneof(
  fc.record(
    {
      name,
      command: name,
      args: fc.array(name, { maxLength: 2 }),
      cwd: fc.constantFrom('.', 'tools', '/tmp'),
      env: fc.dictionary(fc.constantFrom('COLOUR', 'NODE_OPTIONS', 'LD_PRELOAD', 'path', 'NODE_ENV'), name, {
        maxKeys: 2,
      }),
    },
    { requiredKeys: ['name', 'command'] },
  ),
  fc.record({ name, url: address }),
);
const rules = fc.subarray(['Bash', 'Write', 'Bash(rm *)']);
/** Anything that a project's file may say. */
const project: fc.Arbitrary<Configuration> = fc.record(
  {
    gateway: address,
    models: fc.array(model, { maxLength: 3 }),
    mcpServers: fc.array(server, { maxLength: 3 }),
    rules: fc.array(name, { maxLength: 2 }),
    prompts: fc.array(name, { maxLength: 2 }),
    permissions: fc.record({ allow: rules, ask: rules, exclude: rules }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

const withValues = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value).replaceAll(/\$\{\{ env\.(\w+) \}\}/g, (_, one: 'TOKEN') => VARIABLES[one])) as T;
const source = (origin: Source['origin'], raw: Configuration): Source => ({
  origin,
  shown: `${origin}.yaml`,
  text: '',
  raw,
  value: withValues(raw),
});
const sourcesOf = (theirs: Configuration): Sources => ({
  gateway: GATEWAY,
  user: source('user', USER),
  project: source('project', theirs),
  projectBase: withValues(theirs.gateway ?? GATEWAY).replace(/\/+$/, ''),
});
const decidedOf = (theirs: Configuration) => {
  const sources = sourcesOf(theirs);
  const facts = factsOf(sources);
  return { facts, all: membersOf(sources, '/project').map((member) => ({ member, verdict: decide(member, facts) })) };
};

const isOfTheUser = ({ origin }: { readonly origin: string }): boolean => origin === 'user';

/** What a project's member may not contain, whatever the person agrees to. */
function isFaulty(member: Member): boolean {
  switch (member.kind) {
    case 'rule':
    case 'prompt':
      return /of-the-user|^https?:/.test(member.text);
    case 'model': {
      const { name, id, address } = member.choice;
      return /^(?:own|elsewhere)$/i.test(name.trim()) || `${id}${address}`.includes('of-the-user');
    }
    case 'MCP server': {
      const { name, url, env } = member.server;
      return /^files$/i.test(name) || (url ?? '').includes('of-the-user') || Object.keys(env ?? {}).some(loadsCode);
    }
    default:
      return false;
  }
}

describe('no project file', () => {
  it('sends data, runs programs or allows anything without consent', () => {
    fc.assert(
      fc.property(project, (theirs) => {
        const decided = decidedOf(theirs).all.map(({ member, verdict }) => ({ ...verdict, ...member }));
        const [own, foreign] = [decided.filter(isOfTheUser), decided.filter((one) => !isOfTheUser(one))];
        expect(own.filter(({ effect }) => effect !== 'applies')).toEqual([]);
        const applied = foreign.filter(({ effect }) => effect === 'applies').map(({ kind }) => kind);
        expect(['rule', 'prompt', 'ask', 'exclude']).toEqual(expect.arrayContaining(applied));
        const others = foreign.filter(({ effect }) => effect !== 'applies').map(({ kind }) => kind);
        expect(['gateway', 'model', 'MCP server', 'rule', 'prompt', 'allow']).toEqual(expect.arrayContaining(others));
      }),
    );
  });

  it('tells the model a variable, takes the name of what the user has, or loads code', () => {
    fc.assert(
      fc.property(project, (theirs) => {
        const faulty = decidedOf(theirs).all.flatMap(({ member, verdict }) =>
          member.origin === 'user' || verdict.effect === 'refused' || !isFaulty(member) ? [] : [member],
        );
        expect(faulty).toEqual([]);
      }),
    );
  });

  it('sends a credential of the user where the user does not, whatever was agreed to', () => {
    fc.assert(
      fc.property(project, (theirs) => {
        const { facts, all } = decidedOf(theirs);
        for (const { member } of all) {
          if (member.kind !== 'model' || member.origin === 'user') continue;
          const isOwn = member.choice.address === GATEWAY || member.choice.address.startsWith(`${GATEWAY}/`);
          expect(member.choice.atGateway).toBe(isOwn);
          expect(isOwn ? '' : (keyOf(member, facts) ?? '')).not.toContain('of-the-user');
        }
      }),
    );
  });

  it('changes what was agreed to without another question', () => {
    fc.assert(
      fc.property(fc.oneof(model, server), fc.oneof(model, server), (one, other) => {
        const [first, second] = [one, other].map((each) => {
          const theirs = 'endpoint' in each ? { models: [each] } : { mcpServers: [each] };
          return decidedOf(theirs).all.find(({ member }) => member.origin === 'project');
        });
        if (first?.verdict.effect !== 'needs consent' || second?.verdict.effect !== 'needs consent') return;
        const digest = (each: typeof first): string =>
          each.verdict.effect === 'needs consent' ? digestOf('/project', each.verdict.request) : '';
        // What a person agrees to is what is called or run.
        const effect = ({ member }: typeof first) =>
          member.kind === 'model'
            ? [member.choice.address, member.choice.id, member.raw.apiKey]
            : member.kind === 'MCP server'
              ? [member.raw, member.server.cwd].map((each) => JSON.stringify(each))
              : [];
        if (digest(first) !== digest(second)) return;
        expect(withDefaults(effect(first))).toEqual(withDefaults(effect(second)));
      }),
    );
  });

  it('changes the gateway, models, servers and allowed calls of a session where nobody agreed', async () => {
    const world = openWorld();
    onTestFinished(() => world.close());
    world.write('home/casey/.gateway/config.yaml', JSON.stringify(USER));
    const { environment } = world.context({ variables: VARIABLES });
    const of = await findProject(world.project, environment.userId);
    const open = () => openTrust({ environment, project: of, config: null, home: world.home, now: () => NOW });
    const kept = async () => {
      const { gateway, models, servers, permissions } = (await open()).settings;
      return { gateway, models, servers, allows: permissions.ordered.filter(({ decision }) => decision === 'allow') };
    };
    const before = await kept();
    await fc.assert(
      fc.asyncProperty(project, async (theirs) => {
        world.write('work/shop/.gateway/config.yaml', JSON.stringify(theirs));
        expect(await kept()).toEqual(before);
      }),
      { numRuns: 40 },
    );
  });
});

/** Members that may be left out, or in any order, mean the same. */
function withDefaults(texts: readonly (string | undefined)[]): readonly string[] {
  return texts.map((text) => (text ?? '').replace(/,?"(?:args":\[\]|env":\{\}|cwd":"[^"]*")/g, ''));
}

it.each([
  'NODE_OPTIONS',
  'LD_PRELOAD',
  'DYLD_INSERT_LIBRARIES',
  'BASH_ENV',
  'ENV',
  'PYTHONSTARTUP',
  'PERL5LIB',
  'RUBYOPT',
  'JAVA_TOOL_OPTIONS',
  'GIT_SSH',
  'PATH',
  'Path',
  'npm_config_script_shell',
])('%s loads code', (variable) => expect(loadsCode(variable)).toBe(true));

it.each(['NODE_ENV', 'COLOUR', 'API_TOKEN', 'DEBUG', 'LANG', 'GITHUB_TOKEN', 'RUST_LOG'])('%s loads none', (variable) =>
  expect(loadsCode(variable)).toBe(false),
);
