import { compilePolicySet } from '@gateway/access';
import { describe, expect, it } from 'vitest';
import type { PastDecision, PolicyEndpoint } from './console.ts';
import { impactOf } from './preview.ts';

const CALL: PastDecision = {
  at: new Date('2030-01-15T10:00:00Z'),
  component: 'gateway',
  subject: 'ada',
  permission: 'inference:appeler',
  resource: 'endpoint:chat',
  session: null,
  outcome: 'granted',
  reason: 'role',
  roles: ['utilisateur-standard'],
  sourceAddress: '10.0.0.7',
};
const past = (change: Partial<PastDecision> = {}): PastDecision => ({ ...CALL, ...change });
const ENDPOINTS: readonly PolicyEndpoint[] = [
  { name: 'chat', active: true, model: 'small', provider: 'lab', standby: { model: 'huge', provider: 'cloud' } },
];
const impact = (cedar: string, decisions: readonly PastDecision[], names = true) =>
  impactOf(compilePolicySet(cedar), decisions, ENDPOINTS, names);
const EVERYTHING = 'forbid(principal, action, resource);';

describe('what a policy would have refused', () => {
  it('is nothing in an empty log', () => {
    expect(impact(EVERYTHING, [])).toEqual({
      examined: 0,
      refused: 0,
      endpoints: [],
      roles: [],
      subjects: [],
      estimated: false,
    });
  });
  it('leaves out what was refused anyway, callers without a name, and rights of no role', () => {
    const decisions = [
      past({ outcome: 'refused' }),
      past({ subject: null }),
      past({ roles: [] }),
      past({ roles: ['auditeur'] }),
      past(),
    ];
    expect(impact(EVERYTHING, decisions)).toMatchObject({ examined: 5, refused: 1 });
  });
  it('is listed by most refusals, then by name, with each role of a caller', () => {
    const decisions = [
      past({ resource: 'endpoint:b' }),
      past({ resource: 'endpoint:c' }),
      past({ resource: 'endpoint:a' }),
      past({ resource: 'endpoint:c', roles: ['utilisateur-standard', 'administrateur-d-instance'] }),
    ];
    expect(impact(EVERYTHING, decisions)).toMatchObject({
      endpoints: [
        { name: 'endpoint:c', refused: 2 },
        { name: 'endpoint:a', refused: 1 },
        { name: 'endpoint:b', refused: 1 },
      ],
      roles: [
        { name: 'utilisateur-standard', refused: 4 },
        { name: 'administrateur-d-instance', refused: 1 },
      ],
    });
  });
  it('names the twenty people with the most refusals, and nobody to readers without the right', () => {
    const decisions = Array.from({ length: 30 }, (_, number) =>
      Array.from({ length: number + 1 }, () => past({ subject: `person-${number}` })),
    ).flat();
    const { subjects, refused } = impact(EVERYTHING, decisions);
    expect([refused, subjects?.length, subjects?.[0], subjects?.at(-1)]).toEqual([
      465,
      20,
      { name: 'person-29', refused: 30 },
      { name: 'person-10', refused: 11 },
    ]);
    expect(impact(EVERYTHING, decisions, false).subjects).toBeNull();
  });
  it('looks at the standby where that served the call', () => {
    const decisions = [past(), past({ reason: 'standby' })];
    const of = (provider: string) =>
      impact(`forbid(principal, action, resource is Endpoint) when { resource.provider == "${provider}" };`, decisions)
        .refused;
    expect([of('lab'), of('cloud'), of('other')]).toEqual([1, 1, 0]);
  });
  it.each([
    ['the model', 'when { resource.model == "small" }', 1],
    ['the provider', 'when { resource.provider == "lab" }', 1],
    ['another model', 'when { resource.model == "large" }', 0],
    ['the address', 'when { context.sourceAddress.isInRange(ip("10.0.0.0/8")) }', 1],
    ['the session', 'when { context has session }', 0],
    ['the time of then, not of now', 'when { context.time < datetime("2030-01-16") }', 1],
  ])('goes by %s', (_, condition, refused) => {
    const cedar = `forbid(principal, action == Action::"inference:appeler", resource) ${condition};`;
    expect(impact(cedar, [past()]).refused).toBe(refused);
  });
  it('goes by the session that was named', () => {
    const cedar = 'forbid(principal, action, resource) when { context has session && context.session == "s-1" };';
    expect(impact(cedar, [past({ session: 's-1' }), past({ session: 's-2' }), past()]).refused).toBe(1);
  });
  it('knows an endpoint that was deleted by its name alone', () => {
    const gone = past({ resource: 'endpoint:gone' });
    const byName = 'forbid(principal, action == Action::"inference:appeler", resource == Endpoint::"gone");';
    expect(impact(byName, [gone]).refused).toBe(1);
    const byProvider =
      'forbid(principal, action == Action::"inference:appeler", resource) when { resource.provider == "lab" };';
    expect(impact(byProvider, [gone]).refused).toBe(0);
  });
  it('covers projects, commands and the console, each as its own kind of thing', () => {
    const decisions = [
      past({ permission: 'membres:lire', resource: 'project:apollo', roles: ['administrateur-de-projet'] }),
      past({ permission: 'membres:lire', resource: 'project:a:b\nc', roles: ['administrateur-de-projet'] }),
      past({ permission: 'execution:lancer', resource: 'command:bash' }),
      past({ permission: 'journal:lire', resource: 'instance', roles: ['auditeur'] }),
    ];
    const refused = (cedar: string) => impact(cedar, decisions).endpoints.map(({ name }) => name);
    expect(refused('forbid(principal, action, resource == Project::"apollo");')).toEqual(['project:apollo']);
    expect(refused('forbid(principal, action == Action::"membres:lire", resource == Project::"a:b\\nc");')).toEqual([
      'project:a:b\nc',
    ]);
    expect(refused('forbid(principal, action == Action::"execution:lancer", resource);')).toEqual(['command:bash']);
    expect(refused('forbid(principal in Role::"auditeur", action, resource);')).toEqual(['instance']);
  });
  it('is an estimate only where the text looks at what the log does not contain', () => {
    for (const condition of ['context.path like "/chat/*"', 'context.method == "POST"']) {
      expect(impact(`forbid(principal, action, resource) when { ${condition} };`, [past()])).toMatchObject({
        refused: 1,
        estimated: true,
      });
    }
    expect(impact('forbid(principal, action, resource) when { context has session };', [past()]).estimated).toBe(false);
  });
});
