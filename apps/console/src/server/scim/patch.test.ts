import { Messages, Schemas } from 'scimmy';
import { describe, expect, it } from 'vitest';
import { applyPatch } from './patch.ts';
import { patchedGroup } from './provisioning.ts';
import { GROUP } from './schemas.ts';
import { fieldsOf } from './user.ts';

const SCHEMAS = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];
const user = () => ({
  userName: 'bjensen',
  externalId: 'e-1',
  active: true,
  displayName: 'Babs',
  name: { givenName: 'Barbara', familyName: 'Jensen' },
  emails: [{ value: 'bjensen@example.com', type: 'work', primary: true }],
});

function patched(...Operations: readonly object[]) {
  const changed: Record<string, unknown> = user();
  applyPatch(changed, { schemas: SCHEMAS, Operations });
  return fieldsOf(changed);
}

describe('operations of Entra ID', () => {
  it.each([
    ['as sent by default', { op: 'Replace', path: 'active', value: 'False' }],
    ['as sent with aadOptscim062020', { op: 'replace', path: 'active', value: false }],
    ['wrapped', { op: 'Replace', path: 'active', value: [{ value: 'False' }] }],
    ['without a path', { op: 'replace', value: { active: false } }],
    [
      'with the URN of the schema',
      { op: 'Replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:active', value: 'False' },
    ],
  ])('disable a user: %s', (_, operation) => {
    expect(patched(operation).active).toBe(false);
  });

  it('change several attributes and ignore those that are not stored', () => {
    const changed = patched(
      { op: 'Replace', path: 'displayName', value: 'Barbara J' },
      { op: 'Add', path: 'name.middleName', value: 'Jane' },
      { op: 'Replace', path: 'name.givenName', value: 'Barb' },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'barb@example.com' },
      { op: 'Add', path: 'emails[type eq "home"].value', value: 'home@example.com' },
      { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'Sales' },
      { op: 'Add', path: 'phoneNumbers[type eq "work"].value', value: '1' },
      { op: 'Add', path: 'title', value: 'Lead' },
    );
    expect(changed.attributes).toEqual({
      displayName: 'Barbara J',
      name: { givenName: 'Barb', familyName: 'Jensen', middleName: 'Jane' },
      emails: [
        { value: 'barb@example.com', type: 'work', primary: true },
        { value: 'home@example.com', type: 'home' },
      ],
    });
  });

  it('may put paths into one value', () => {
    const value = {
      displayName: 'B',
      'name.familyName': 'J',
      'emails[type eq "work"].value': 'new@example.com',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'x' },
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager': 'y',
    };
    const { attributes } = patched({ op: 'replace', value });
    expect(attributes).toMatchObject({ displayName: 'B', name: { familyName: 'J', givenName: 'Barbara' } });
    expect(attributes.emails?.[0]?.value).toBe('new@example.com');
  });

  it('are ignored where they change what no schema here declares', () => {
    const acme = 'urn:ietf:params:scim:schemas:extension:acme:2.0:User';
    const same = patched({ op: 'replace', path: 'displayName', value: 'Babs' });
    expect(
      patched(
        { op: 'Add', path: `${acme}:site`, value: 'Lyon' },
        { op: 'Add', path: 'costCentre', value: '7' },
        { op: 'Add', path: 'roles[primary eq "True"].value', value: 'admin' },
        { op: 'Add', path: 'roles', value: [{ value: 'admin', primary: 'True' }] },
        { op: 'Replace', path: 'addresses[type eq "work"].country', value: 'GB' },
        { op: 'replace', value: { [acme]: { site: 'Lyon' }, id: 'other', meta: {} } },
      ),
    ).toEqual(same);
  });

  it('name attributes, and texts in filters, in any case', () => {
    const { attributes } = patched(
      { op: 'replace', path: 'DISPLAYNAME', value: [{ value: 'Wrapped' }] },
      { op: 'replace', path: 'EMAILS[TYPE eq "WORK"].VALUE', value: 'new@example.com' },
      { op: 'replace', path: 'URN:ietf:params:scim:schemas:core:2.0:user:NAME.GIVENNAME', value: 'B' },
    );
    expect(attributes).toEqual({
      displayName: 'Wrapped',
      name: { givenName: 'B', familyName: 'Jensen' },
      emails: [{ value: 'new@example.com', type: 'work', primary: true }],
    });
  });
});

describe('operations of the protocol', () => {
  it('replace and remove attributes', () => {
    expect(patched({ op: 'remove', path: 'displayName' }).attributes.displayName).toBeUndefined();
    expect(patched({ op: 'remove', path: 'emails[type eq "work"]' }).attributes.emails).toBeUndefined();
    expect(patched({ op: 'remove', path: 'name' }).attributes.name).toBeUndefined();
    expect(patched({ op: 'remove', path: 'name.givenName' }).attributes.name).toEqual({ familyName: 'Jensen' });
    expect(patched({ op: 'replace', path: 'externalId', value: null }).externalId).toBeNull();
    const emails = [{ value: 'a@b.c' }];
    expect(patched({ op: 'replace', path: 'emails', value: emails }).attributes.emails).toEqual(emails);
    expect(patched({ op: 'replace', value: { emails } }).attributes.emails).toEqual(emails);
    // What a replaced complex attribute leaves out stays (RFC 7644, section 3.5.2.3).
    const name = { familyName: 'J' };
    expect(patched({ op: 'replace', path: 'name', value: name }).attributes.name).toEqual({
      givenName: 'Barbara',
      familyName: 'J',
    });
  });

  it('add a new primary address instead of the one before, and none twice', () => {
    const more = { value: 'b@example.com', primary: true };
    expect(patched({ op: 'add', path: 'emails', value: [more] }).attributes.emails).toEqual([
      { value: 'bjensen@example.com', type: 'work' },
      more,
    ]);
    const ofAnyType = { value: 'c@example.com', type: 'Alias' };
    expect(patched({ op: 'add', path: 'emails', value: ofAnyType }).attributes.emails?.[1]).toEqual(ofAnyType);
    const same = { value: 'bjensen@example.com', type: 'work', primary: true };
    expect(patched({ op: 'add', path: 'emails', value: [same] }).attributes.emails).toEqual([same]);
  });

  it.each([
    ['noTarget', { op: 'remove' }],
    ['noTarget', { op: 'replace', path: 'emails[type sw "x"].value', value: 'a@b.c' }],
    ['mutability', { op: 'replace', path: 'id', value: 'x' }],
    ['mutability', { op: 'remove', path: 'userName' }],
    ['invalidSyntax', { op: 'move', path: 'userName', value: 'x' }],
    ['invalidSyntax', 7 as never],
    ['invalidPath', { op: 'replace', path: 'emails[type eq "x"', value: 'x' }],
    ['invalidPath', { op: 'replace', path: 'active.x', value: 'x' }],
    ['invalidPath', { op: 'replace', path: 'emails.colour', value: 'x' }],
    ['invalidPath', { op: 'replace', path: 7, value: 'x' }],
    ['invalidFilter', { op: 'replace', path: 'emails[type].value', value: 'x' }],
    ['invalidValue', { op: 'replace', value: 'x' }],
    ['invalidValue', { op: 'replace', path: 'active', value: 'maybe' }],
    ['invalidValue', { op: 'replace', path: 'active' }],
    ['invalidValue', { op: 'replace', path: 'userName', value: 'a\nb' }],
    ['invalidValue', { op: 'replace', path: 'userName', value: '' }],
    ['invalidValue', { op: 'replace', path: 'name', value: 'x' }],
  ])('that cannot be applied are refused with the reason (%s): %j', (scimType, operation) => {
    expect(() => patched(operation)).toThrow(expect.objectContaining({ scimType }) as Error);
  });

  it.each([{}, { schemas: SCHEMAS }, { schemas: SCHEMAS, Operations: [] }, { schemas: ['x'], Operations: [{}] }])(
    'in a message that is none are refused: %j',
    (body) => {
      expect(() => applyPatch(user(), body)).toThrow(expect.objectContaining({ scimType: 'invalidSyntax' }) as Error);
    },
  );

  it('come to what an independent library makes of them', async () => {
    const Operations = [
      { op: 'replace', path: 'displayName', value: 'New' },
      { op: 'add', path: 'name.middleName', value: 'Q' },
      { op: 'replace', path: 'emails[type eq "work"].value', value: 'new@example.com' },
      { op: 'replace', value: { active: false } },
    ];
    const message = new Messages.PatchOp({ schemas: SCHEMAS, Operations } as never);
    const resource = new Schemas.User({ id: 'x', ...user() }, 'out');
    const theirs = (await message.apply(resource as never)) as unknown as Record<string, unknown>;
    const { userName, externalId, active, attributes } = patched(...Operations);
    expect(JSON.parse(JSON.stringify(theirs))).toMatchObject({ userName, externalId, active, ...attributes });
  });
});

describe('operations on the members of a group', () => {
  const [ada, bob, eve] = ['a', 'b', 'c'].map((one) => `0000000${one}-0000-4000-8000-000000000000`) as [
    string,
    string,
    string,
  ];
  it.each<[string, readonly string[], object]>([
    ['add', [ada, bob, eve], { op: 'Add', path: 'members', value: [{ $ref: null, value: eve }] }],
    ['add an id alone', [ada, bob, eve], { op: 'add', path: 'members', value: [eve.toUpperCase()] }],
    ['add without a path', [ada, bob, eve], { op: 'add', value: { members: [{ value: eve }] } }],
    ['add who belongs to it', [ada, bob], { op: 'Add', path: 'members', value: [{ value: ada }] }],
    ['add with the URN', [ada, bob, eve], { op: 'add', path: `${GROUP}:members`, value: [{ value: eve }] }],
    ['remove', [bob], { op: 'Remove', path: 'members', value: [{ value: ada }] }],
    ['remove with an empty reference', [bob], { op: 'Remove', path: 'members', value: [{ $ref: null, value: ada }] }],
    ['remove under an old name', [bob], { op: 'Remove', path: 'members', value: [{ value: ada, display: 'Old' }] }],
    ['remove by a filter', [bob], { op: 'remove', path: `members[value eq "${ada}"]` }],
    ['remove by a filter in capitals', [bob], { op: 'remove', path: `members[value eq "${ada.toUpperCase()}"]` }],
    ['remove who does not belong to it', [ada, bob], { op: 'remove', path: `members[value eq "${eve}"]` }],
    ['remove all', [], { op: 'remove', path: 'members' }],
    ['remove nobody', [ada, bob], { op: 'Remove', path: 'members', value: [] }],
    ['replace', [eve], { op: 'replace', path: 'members', value: [{ value: eve }] }],
    ['replace without a path', [eve], { op: 'replace', value: { members: [{ value: eve }] } }],
  ])('%s', (_, expected, operation) => {
    const before = { displayName: 'all', externalId: null, members: new Set([ada, bob]) };
    const after = patchedGroup(before, { schemas: SCHEMAS, Operations: [operation] });
    expect([...after.members].toSorted()).toEqual(expected);
  });
});

describe('a PATCH that would take minutes', () => {
  const email = (name: string) => ({ op: 'add', path: 'emails', value: [{ value: `${name}@example.com` }] });
  it('has too many operations, or too many addresses before the last of them', () => {
    expect(() => patched(...Array(2001).fill(email('x')))).toThrow('Operations must have at most 2000 elements.');
    const many = Array.from({ length: 20_000 }, (_, at) => ({ value: `${at}@example.com` }));
    const add = { op: 'add', path: 'emails', value: many };
    expect(() => patched(add, add)).toThrow('emails must be a list of at most 20.');
  });
  it('is done at once where it changes a large group', () => {
    const idOf = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
    const members = new Set(Array.from({ length: 20_000 }, (_, at) => idOf(at)));
    const Operations = Array.from({ length: 2000 }, (_, at) =>
      at % 2 === 0
        ? { op: 'remove', path: `members[value eq "${idOf(at).toUpperCase()}"]` }
        : { op: 'add', path: 'members', value: [{ value: idOf(20_000 + at) }] },
    );
    const before = { displayName: 'all', externalId: null, members };
    const after = patchedGroup(before, { schemas: SCHEMAS, Operations });
    expect([members.size, after.members.size, after.members.has(idOf(2)), after.members.has(idOf(20_003))]).toEqual([
      20_000,
      20_000,
      false,
      true,
    ]);
  });
});
