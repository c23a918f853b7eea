import { readFileSync, writeFileSync } from 'node:fs';
import { canaries } from '@gateway/secrets/testing';
import { describe, expect, it } from 'vitest';
import { configurationJsonSchema, pathText, readConfiguration } from './read.ts';

const SECRET = canaries('configuration').find(({ rule }) => rule === 'jwt')?.value ?? '';
/** Faults as a person reads them. */
function faultsOf(text: string): readonly string[] {
  const read = readConfiguration(text);
  return 'faults' in read
    ? read.faults.map(({ line, path, sentence }) => `${line}: ${pathText(path)} ${sentence}`)
    : [];
}

describe('a configuration file', () => {
  it('may be as small as its version', () => {
    for (const text of ['version: 1', '{"version": 1}', '# comment\nversion: 1\n', 'version: 1\nproviders: []']) {
      expect(faultsOf(text)).toEqual([]);
    }
  });

  it.each(['', 'null', '[]', 'text', '7', '# only a comment'])('is an object: %j is none', (text) => {
    expect(faultsOf(text)).toHaveLength(1);
  });

  it.each(['version: 2', 'version: "1"', 'version: null', 'version: [1]'])('has the version 1, not %j', (text) => {
    expect(faultsOf(text)).toEqual(['1: version must be 1: the version of this form']);
  });

  it('that is no YAML is refused with line and column', () => {
    expect(faultsOf('version: 1\nproviders: [\n')).toEqual([
      expect.stringMatching(/^\d: the document is not YAML at column \d+: .+/),
    ]);
    expect(faultsOf('version: 1\nversion: 1\n')).toEqual([
      expect.stringMatching(/^2: the document is not YAML at column 1: .*unique/),
    ]);
    expect(faultsOf('a: 1\n\tb: 2')[0]).toMatch(/not YAML/);
  });

  it('that grows without end is refused', () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefgh'.split('').map((name, at) => {
        const above = 'abcdefgh'[at] ?? '';
        return `${name}: &${name} [*${above},*${above},*${above},*${above},*${above},*${above},*${above},*${above},*${above}]`;
      }),
    ].join('\n');
    expect(faultsOf(bomb)).toEqual([expect.stringMatching(/^1: the document cannot be read: /)]);
  });

  it('may repeat a part by its alias', () => {
    const text =
      'version: 1\nprojects:\n  - project: a\n    members: &all [alice, bob]\n  - project: b\n    members: *all\n';
    expect(readConfiguration(text)).toMatchObject({
      document: { projects: [{ members: ['alice', 'bob'] }, { project: 'b', members: ['alice', 'bob'] }] },
    });
  });
});

describe('a fault', () => {
  it('is placed on the line of the member, or of what should have it', () => {
    const text = [
      'version: 1',
      'providers:',
      '  - slug: local',
      '    name: Local',
      '    baseUrl: ftp://engine',
      '  - slug: other',
      '    baseUrl: https://engine.example',
      'unknown: 1',
    ].join('\n');
    expect(faultsOf(text)).toEqual([
      expect.stringMatching(/^5: providers\[0\]\.baseUrl /),
      expect.stringMatching(/^6: providers\[1\]\.name /),
      '8: unknown is not known here',
    ]);
  });

  it('is reported for each of several, in the order of the lines', () => {
    const text = `version: 1\nroles:\n${'  - { subject: "", role: admin }\n'.repeat(30)}`;
    const lines = faultsOf(text).map((fault) => Number.parseInt(fault, 10));
    expect(lines.length).toBeGreaterThanOrEqual(60);
    expect(lines).toEqual(lines.toSorted((one, other) => one - other));
  });

  it.each([
    ['providers', '  - { slug: a, name: A, baseUrl: "https://x.example" }\n'],
    ['models', '  - { provider: a, slug: m, name: M, inputPrice: 0, outputPrice: 0 }\n'],
    ['endpoints', '  - { name: a, provider: a, model: m }\n'],
    ['accounts', '  - { username: alice }\n'],
    ['roles', '  - { subject: alice, role: auditor }\n'],
    ['projects', '  - { project: a, members: [] }\n'],
    ['organizations', '  - { slug: a, name: A }\n'],
  ])('is an entry of %s that is there twice', (section, entry) => {
    expect(faultsOf(`version: 1\n${section}:\n${entry}`)).toEqual([]);
    expect(faultsOf(`version: 1\n${section}:\n${entry}${entry}`)).toEqual([`4: ${section}[1] is in the list twice`]);
  });

  it.each([
    [
      'project missing',
      '{ subject: a, role: project-administrator }',
      'roles[0].project is missing: this role belongs to a project',
    ],
    ['project too many', '{ subject: a, role: auditor, project: p }', 'roles[0].project is not for this role'],
    ['blank subject', '{ subject: " ", role: auditor }', 'roles[0].subject must not be blank'],
    [
      'long subject',
      `{ subject: "${'x'.repeat(256)}", role: auditor }`,
      'roles[0].subject must be one line of 1 to 255 characters',
    ],
  ])('of a role: %s', (_, role, fault) => {
    expect(faultsOf(`version: 1\nroles:\n  - ${role}`)).toEqual([`3: ${fault}`]);
  });

  it('is an end of a policy before its begin, and a policy of Cedar that cannot be read', () => {
    const period = 'policy: { document: {}, validFrom: 2030-01-01T00:00:00Z, validUntil: 2029-01-01T00:00:00Z }';
    expect(faultsOf(`version: 1\norganizations:\n  - { slug: a, name: A, ${period} }`)).toEqual([
      '3: organizations[0].policy.validUntil must be later than validFrom',
    ]);
    expect(faultsOf('version: 1\nauthorizationPolicy: |\n  forbid(principal')).toEqual([
      expect.stringMatching(/^2: authorizationPolicy /),
    ]);
    expect(faultsOf('version: 1\nauthorizationPolicy: " "')).toEqual([]);
  });
});

describe('a secret in a configuration', () => {
  it('is refused at its place, without being repeated', () => {
    const text = `version: 1\nproviders:\n  - slug: a\n    name: "${SECRET}"\n    baseUrl: https://x.example\n`;
    const faults = faultsOf(text);
    expect(faults).toContainEqual(expect.stringMatching(/^4: providers\[0\]\.name holds what looks like a secret/));
    expect(faults.join()).not.toContain(SECRET);
  });

  it('may be in a comment, which is declared nowhere', () => {
    expect(faultsOf(`# ${SECRET}\nversion: 1`)).toEqual([]);
  });
});

describe('a path', () => {
  it.each([
    [[], 'the document'],
    [['models', 2, 'provider'], 'models[2].provider'],
    [['roles', 0], 'roles[0]'],
    [['version'], 'version'],
    [[0, 'a'], '[0].a'],
  ])('%j is written %s', (path, text) => {
    expect(pathText(path)).toBe(text);
  });
});

const PUBLISHED = new URL('../../../../docs/configuration.schema.json', import.meta.url);

it('the published schema is the one that files are checked against (UPDATE_DOCS=1 writes it)', () => {
  const schema = `${JSON.stringify(configurationJsonSchema(), null, 2)}\n`;
  if (process.env.UPDATE_DOCS === '1') writeFileSync(PUBLISHED, schema);
  expect(JSON.parse(readFileSync(PUBLISHED, 'utf8'))).toEqual(JSON.parse(schema));
});

it('completes members, requires what has no default, and knows the roles', () => {
  expect(configurationJsonSchema()).toMatchObject({
    additionalProperties: false,
    required: ['version'],
    properties: {
      providers: { items: { required: ['slug', 'name', 'baseUrl'], additionalProperties: false } },
      models: { items: { required: ['provider', 'slug', 'name', 'inputPrice', 'outputPrice'] } },
      roles: { items: { properties: { role: { enum: expect.arrayContaining(['auditeur']) as unknown[] } } } },
      plans: { items: { required: ['slug', 'name', 'monthlyCap'] } },
    },
  });
});
