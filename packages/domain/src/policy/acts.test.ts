import { violationOf } from '@gateway/database/client/conditions';
import {
  type Administering,
  administering,
  allAtOnce,
  createTestDatabase,
  type TestDatabase,
} from '@gateway/database/testing';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createOrganization,
  installOrganizationPolicy,
  type NamedOrganization,
  refuseOrganizationPolicy,
  renameOrganization,
} from '../organization/acts.ts';
import { readOrganizations } from '../organization/console.ts';
import { installPolicy, refusePolicy } from './acts.ts';
import { listPolicyAttempts, listPolicyRevisions, readPolicyInForce, readPolicyText } from './console.ts';

let database: TestDatabase;
let administer: Administering;
beforeAll(async () => {
  database = await createTestDatabase();
  administer = administering(database.sql);
});
afterAll(() => database.drop());

const PAGE = { limit: null, after: null };
const attempts = async (kind: 'authorization' | 'organization') =>
  (await listPolicyAttempts(database.sql, { kind, author: null, outcome: null }, PAGE)).map(
    ({ author, outcome, revision, fault, document, organization }) => ({
      author,
      outcome,
      revision,
      fault,
      document,
      organization,
    }),
  );
const install = (cedar: string, author = 'ada') => administer((act) => installPolicy(act, cedar), author);
const organize = async (slug: string): Promise<NamedOrganization> => {
  const { result } = await administer((act) => createOrganization(act, { slug, name: slug.toUpperCase() }));
  if (result === undefined) throw new Error(`${slug} is new`);
  return result;
};
const asItIs = (text: string): string => text;
const ALWAYS = { validFrom: null, validUntil: null };

describe('the authorization policy', () => {
  it('is none before the first installation', async () => {
    expect(await readPolicyInForce(database.sql)).toBeUndefined();
  });

  it('is the last one installed, and the earlier ones stay readable', async () => {
    const first = await install('// first');
    const second = await install('', 'grace');
    expect([first.result.revision, second.result.revision]).toEqual([1, 2]);
    expect(second.entries).toMatchObject([
      {
        author: 'grace',
        action: 'policy.install',
        target: 'policy',
        before: { cedar: '// first' },
        after: { cedar: '' },
      },
    ]);
    expect(await readPolicyInForce(database.sql)).toEqual(second.result);
    const revisions = await listPolicyRevisions(database.sql, PAGE);
    expect(revisions.map(({ revision, author }) => [revision, author])).toEqual([
      [2, 'grace'],
      [1, 'ada'],
    ]);
  });

  it('that is installed again unchanged is a revision of its own', async () => {
    const { result, entries } = await install('');
    expect(result.revision).toBe(3);
    expect(entries).toHaveLength(1);
  });

  it('is kept to the last sign, however long', async () => {
    const cedar = `// ${'é😀\\"\n\t'.repeat(20_000)}`;
    const { result } = await install(cedar);
    const [row] = await database.sql<{ at: string }[]>`
      select extract(epoch from installed_at)::text as at from authorization_policies where revision = ${result.revision}`;
    expect(await readPolicyText(database.sql, { number: result.revision, installedAt: row?.at ?? '' })).toBe(cedar);
    expect(await readPolicyText(database.sql, { number: result.revision, installedAt: '1' })).toBeUndefined();
  });

  // roles-17
  it('that was refused is kept with its author and its fault, and changes nothing in force', async () => {
    const before = await readPolicyInForce(database.sql);
    const { entries } = await administer(
      (act) => refusePolicy(act, { document: 'permit(', fault: 'line 1 is incomplete' }, asItIs),
      'mallory',
    );
    expect(entries).toMatchObject([
      { action: 'policy.refuse', before: null, after: { cedar: 'permit(', fault: 'line 1 is incomplete' } },
    ]);
    expect(await readPolicyInForce(database.sql)).toEqual(before);
    expect((await attempts('authorization'))[0]).toEqual({
      author: 'mallory',
      outcome: 'refused',
      revision: null,
      fault: 'line 1 is incomplete',
      document: 'permit(',
      organization: null,
    });
  });

  it('that was not installed after all left no attempt', async () => {
    const before = await attempts('authorization');
    const failing = administer(async (act) => {
      await installPolicy(act, '// abandoned');
      throw new Error('abandoned');
    });
    await expect(failing).rejects.toThrow('abandoned');
    expect(await attempts('authorization')).toEqual(before);
  });
});

// roles-17, workstation-4
describe('a refused policy', () => {
  const mask = (text: string): string => text.replaceAll('hunter2', '[masked]');
  const kinds = {
    authorization: {
      kept: 'cedar',
      refuse: (document: unknown) => administer((act) => refusePolicy(act, { document, fault: 'no hunter2\0' }, mask)),
    },
    organization: {
      kept: 'document',
      refuse: (document: unknown) =>
        administer((act) => refuseOrganizationPolicy(act, 'masked', { document, fault: 'no hunter2\0' }, mask)),
    },
  } as const;

  it.each([
    ['authorization', 'a\0 hunter2 \ud800', 'a\ufffd [masked] \ufffd'],
    ['organization', 'a\0 hunter2 \ud800', 'a\ufffd [masked] \ufffd'],
    ['authorization', { cedar: ['hunter2'] }, '{"cedar":["[masked]"]}'],
    ['organization', { cedar: ['hunter2'] }, '{"cedar":["[masked]"]}'],
    ['authorization', undefined, 'null'],
    ['organization', undefined, 'null'],
  ] as const)('%s of %j is kept without a secret, among the attempts and in the log', async (kind, given, document) => {
    const { kept, refuse } = kinds[kind];
    const { entries } = await refuse(given);
    const fault = 'no [masked]\ufffd';
    expect(entries).toMatchObject([{ after: { [kept]: document, fault } }]);
    expect((await attempts(kind))[0]).toMatchObject({ document, fault });
  });
});

describe('an organization', () => {
  it('is created once for a slug', async () => {
    const { result, entries } = await administer((act) => createOrganization(act, { slug: 'acme', name: 'Acme' }));
    expect(entries).toMatchObject([
      { action: 'organization.create', target: 'organization:acme', before: null, after: { ...result } },
    ]);
    const again = await administer((act) => createOrganization(act, { slug: 'acme', name: 'Another' }));
    expect(again).toEqual({ result: undefined, entries: [] });
    expect(await readOrganizations(database.sql)).toEqual([{ ...result, policy: null }]);
  });

  it('is renamed, and the same name again is not recorded', async () => {
    const organization = await organize('rename');
    const rename = (name: string) => administer((act) => renameOrganization(act, organization, name));
    const { entries } = await rename('Renamed');
    expect(entries).toMatchObject([{ before: organization, after: { ...organization, name: 'Renamed' } }]);
    expect((await rename('Renamed')).entries).toEqual([]);
  });

  it('that two administrators rename at the same moment is recorded as one change after the other', async () => {
    const organization = await organize('raced-name');
    const rename = (name: string) => () => administer((act) => renameOrganization(act, organization, name));
    const lock = `select from organizations where id = '${organization.id}' for update`;
    await allAtOnce(database.sql, lock, rename('One'), rename('Other'));
    const acts = await database.sql<{ before: NamedOrganization; after: NamedOrganization }[]>`
      select old_value::json as before, new_value::json as after from administration_actions
      where action = 'organization.change' and target = 'organization:raced-name' order by sequence`;
    expect(acts.map(({ before }) => before)).toEqual([organization, acts[0]?.after]);
  });

  it('has the policy that was installed last, and each organization its own revisions', async () => {
    const [one, other] = [await organize('one'), await organize('other')];
    const policy = { tools: { exclude: ['rm', 'Ünïcode "quoted"'] } };
    const give = (to: NamedOrganization, document: object, author: string) =>
      administer((act) => installOrganizationPolicy(act, to, { document, ...ALWAYS }), author);
    await give(one, {}, 'ada');
    const { result, entries } = await give(one, policy, 'grace');
    await give(other, {}, 'ada');
    expect(result).toMatchObject({ revision: 2, document: policy, author: 'grace' });
    expect(entries).toMatchObject([
      {
        action: 'organization-policy.install',
        target: 'organization:one',
        before: { revision: 1, document: {} },
        after: { revision: 2, document: policy },
      },
    ]);
    const stored = Object.fromEntries((await readOrganizations(database.sql)).map((row) => [row.slug, row.policy]));
    expect(stored).toMatchObject({ one: { revision: 2, document: policy }, other: { revision: 1, document: {} } });
  });

  it('has revisions without a gap where two administrators install at the same moment', async () => {
    const organization = await organize('raced');
    const give = (exclude: string) => () =>
      administer((act) =>
        installOrganizationPolicy(act, organization, { document: { tools: { exclude: [exclude] } }, ...ALWAYS }),
      );
    const lock = `select pg_advisory_xact_lock(hashtextextended('${organization.id}', 7332))`;
    const outcomes = await allAtOnce(database.sql, lock, give('a'), give('b'));
    const revisions = outcomes.map((one) => (one.status === 'fulfilled' ? one.value.result.revision : 0));
    expect(revisions.toSorted((one, other) => one - other)).toEqual([1, 2]);
    const entries = outcomes.flatMap((one) => (one.status === 'fulfilled' ? one.value.entries : []));
    const first = entries.find(({ before }) => before === null);
    expect(entries.find(({ before }) => before !== null)?.before).toEqual(first?.after);
  });

  it('keeps the period of a policy, and refuses one that ends before it begins', async () => {
    const organization = await organize('period');
    const [validFrom, validUntil] = [new Date('2026-01-01T00:00:00.123Z'), new Date('2026-02-01T00:00:00.000Z')];
    const give = (period: { validFrom: Date | null; validUntil: Date | null }) =>
      administer((act) => installOrganizationPolicy(act, organization, { document: {}, ...period }));
    expect((await give({ validFrom, validUntil })).result).toMatchObject({ validFrom, validUntil });
    const refused = give({ validFrom: validUntil, validUntil: validFrom }).catch(violationOf);
    expect(await refused).toEqual({ kind: 'check', constraint: 'organization_policies_check' });
    const unknown = { id: uuid(), slug: 'unknown' };
    const nowhere = administer((act) => installOrganizationPolicy(act, unknown, { document: {}, ...ALWAYS }));
    expect(await nowhere.catch(violationOf)).toMatchObject({ kind: 'reference' });
  });

  // workstation-4
  it('has the refused attempts besides the installed ones, as they were written', async () => {
    const organization = await organize('attempts');
    await administer((act) => installOrganizationPolicy(act, organization, { document: {}, ...ALWAYS }));
    const written = '{"tools": {"exclud": []}, "a": "\\u0000"}';
    await administer((act) =>
      refuseOrganizationPolicy(act, 'attempts', { document: written, fault: 'exclud is not known' }, asItIs),
    );
    const found = (await attempts('organization')).filter((one) => one.organization === 'attempts');
    expect(found.map(({ outcome, document, fault }) => [outcome, document, fault])).toEqual([
      ['refused', written, 'exclud is not known'],
      ['installed', '{}', null],
    ]);
  });
});
