import { PERMISSIONS, ROLE_NAMES } from '@gateway/contract';
import { describe, expect, it } from 'vitest';
import { checkPolicySet, describeFault } from './check.ts';
import { resourceTypeOf } from './schema.ts';

/** The faults of a text, described; a valid one has none. */
function faultsOf(text: string): string[] {
  const check = checkPolicySet(text);
  return check.ok ? [] : check.faults.map(describeFault);
}
function namesOf(text: string): string[] {
  const check = checkPolicySet(text);
  if (!check.ok) throw new Error(check.faults.map(describeFault).join('\n'));
  return check.policies.map(({ name }) => name);
}

describe('a policy set that may be installed', () => {
  it.each([
    ['nothing at all', ''],
    ['a comment', '// nothing is forbidden\n'],
    ['everything', 'forbid(principal, action, resource);'],
    ['one subject', 'forbid(principal == Subject::"alice", action, resource);'],
    ['a role', 'forbid(principal in Role::"auditeur", action, resource);'],
    [
      'an endpoint by its model',
      'forbid(principal, action == Action::"inference:appeler", resource) when { resource.model == "x" };',
    ],
    ['a project', 'forbid(principal, action == Action::"membres:lire", resource == Project::"north");'],
    ['calls outside a session', 'forbid(principal, action, resource) unless { context has session };'],
    ['a network', 'forbid(principal, action, resource) unless { context.sourceAddress.isInRange(ip("10.0.0.0/8")) };'],
    ['the night', 'forbid(principal, action, resource) when { context.time.toTime() < duration("6h") };'],
    [
      'a path and a method',
      'forbid(principal, action, resource) when { context.method == "DELETE" || context.path like "*/files/*" };',
    ],
  ])('forbids %s', (_, text) => expect(faultsOf(text)).toEqual([]));

  it.each(PERMISSIONS)('knows the permission %s on its resource', (permission) => {
    const type = resourceTypeOf(permission);
    expect(faultsOf(`forbid(principal, action == Action::"${permission}", resource is ${type});`)).toEqual([]);
  });
  it.each(ROLE_NAMES)('knows the role %s', (role) =>
    expect(faultsOf(`forbid(principal in Role::"${role}", action, resource);`)).toEqual([]),
  );

  it('names a policy by its @id, otherwise by its position', () => {
    const forbids = Array.from({ length: 12 }, () => 'forbid(principal, action, resource);').join('\n');
    expect(namesOf(`@id("no night") ${forbids}`)).toEqual([
      'no night',
      ...Array.from({ length: 11 }, (_, index) => `policy ${index + 2}`),
    ]);
  });
  it('warns of a policy that can never apply', () => {
    const check = checkPolicySet('forbid(principal, action == Action::"inference:appeler", resource == Project::"x");');
    expect(check).toMatchObject({ ok: true });
    expect(check.ok && check.warnings.map(describeFault)).toEqual([
      expect.stringMatching(/^line 1, column 1: unable to find/),
    ]);
  });
});

describe('a policy set that is refused, with the position of the fault', () => {
  it.each([
    ['a permit', 'permit(principal, action, resource);', 'line 1, column 1: policy 1 permits'],
    [
      'a permit among forbids',
      'forbid(principal, action, resource);\n  @id("let in") permit(principal, action, resource);',
      'line 2, column 3: let in permits',
    ],
    [
      'an expression cut short',
      'forbid(principal, action, resource)\nwhen { 1 + };',
      'line 2, column 12: unexpected token `}`',
    ],
    ['no end', 'forbid(principal, action, resource)', 'line 1'],
    ['another language', 'grant all to alice', 'line 1, column 7'],
    [
      'an unknown action',
      'forbid(principal, action == Action::"inference:call", resource);',
      'line 1, column 29: unrecognized action',
    ],
    [
      'an unknown type',
      'forbid(principal == Animal::"cat", action, resource);',
      'line 1, column 21: unrecognized entity type',
    ],
    [
      'an unknown role',
      'forbid(principal in Role::"super", action, resource);',
      'line 1, column 21: entity `Role::"super"`',
    ],
    ['another instance', 'forbid(principal, action, resource == Instance::"other");', 'line 1, column 39'],
    [
      'an unknown attribute',
      'forbid(principal, action, resource)\n when { context.weather == "rain" };',
      'line 2, column 9: attribute `weather`',
    ],
    [
      'a session that may be absent',
      'forbid(principal, action, resource) when { context.session == "s" };',
      'column 44: unable to guarantee safety',
    ],
    ['types that do not fit', 'forbid(principal, action, resource) when { context.method == 7 };', 'line 1'],
    [
      'no address',
      'forbid(principal, action, resource) when { ip("here").isIpv4() };',
      'failed to parse as IP address',
    ],
    [
      'a template',
      '// ?principal\nforbid(principal == ?principal, action, resource);',
      'line 2, column 21: a template (?principal)',
    ],
    [
      'two policies of one name',
      '@id("a") forbid(principal, action, resource);\n@id("a") forbid(principal, action, resource);',
      'line 2, column 1: another policy',
    ],
  ])('%s', (_, text, fault) => expect(faultsOf(text)[0]).toContain(fault));

  it('counts characters, not octets', () => {
    expect(faultsOf('// é€𝄞\n/* */')[0]).toMatch(/^line 2, column 1:/);
    expect(faultsOf('@id("é€𝄞") forbid(principal, action == Action::"x", resource);')[0]).toMatch(
      /^line 1, column 41:/,
    );
  });
  it('names every fault, in the order of the text', () => {
    const text = 'forbid(principal == Animal::"cat", action, resource);\npermit(principal, action, resource);';
    expect(faultsOf(text).map((fault) => fault.slice(0, 6))).toEqual(['line 1', 'line 2']);
  });
  it('reports a fault at one position once, for any number of actions', () => {
    expect(faultsOf('forbid(principal, action, resource) when { context.weather == "rain" };')).toHaveLength(1);
  });
  it('reports a position’s faults in the same order each time, for any order of the engine', () => {
    const firstOfAll = [...PERMISSIONS].sort()[0] ?? '';
    for (let time = 0; time < 5; time += 1)
      expect(faultsOf('forbid(principal, action, resource) when { context.weather == "rain" };')).toEqual([
        expect.stringContaining(`in context for Action::"${firstOfAll}"`),
      ]);
  });
});

/** Trees of extreme depth; each of these crashes an unprotected engine. */
const DEEP: readonly (readonly [string, (levels: number) => string])[] = [
  ['parentheses', (n) => `${'('.repeat(n)}true${')'.repeat(n)}`],
  ['negations', (n) => `${'!'.repeat(n)}true`],
  ['a chain of and', (n) => `true${' && true'.repeat(n)}`],
  ['a sum', (n) => `1${' + 1'.repeat(n)} == 1`],
  ['conditions', (n) => `${'if true then '.repeat(n)}true${' else true'.repeat(n)}`],
  ['sets', (n) => `${'['.repeat(n)}1${']'.repeat(n)} == [1]`],
  ['records', (n) => `${'{a: '.repeat(n)}1${'}'.repeat(n)} == {a: 1}`],
  ['attributes', (n) => `context${'.a'.repeat(n)} == 1`],
];

describe('a text made to break the engine', () => {
  it.each(DEEP)('%s of any depth is refused and the next check works', (_, nest) => {
    for (const levels of [10, 20, 190, 500, 5000, 50_000]) {
      checkPolicySet(`forbid(principal, action, resource) when { ${nest(levels)} };`);
      expect(faultsOf('forbid(principal, action, resource);')).toEqual([]);
    }
  });
  it('the two limits together', () => {
    const text = `${'{a: '.repeat(20)}1${' + 1'.repeat(150)}${'}'.repeat(20)} == {a: 1}`;
    expect(faultsOf(`forbid(principal, action, resource) when { ${text} };`)[0]).toContain('line 1');
  });
  it('a long list is not a deep one', () => {
    const subjects = Array.from({ length: 5000 }, (_, index) => `Subject::"s${index}"`).join(', ');
    expect(faultsOf(`forbid(principal, action, resource) when { [${subjects}].contains(principal) };`)).toEqual([]);
  });
  it.each([
    ['NUL', '// a\n// \0'],
    ['half of a surrogate pair', '// a\n// \ud800'],
    ['the other half', 'forbid(principal == Subject::"\udc00", action, resource);'],
  ])('%s', (_, text) => expect(faultsOf(text)[0]).toMatch(/^line \d, column \d+: a policy set is well-formed text/));
  it('a text beyond every measure', () => expect(faultsOf('/'.repeat(300_000))[0]).toContain('longer than'));
});
