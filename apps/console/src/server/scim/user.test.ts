import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ScimFault } from './answers.ts';
import { fieldsOf, flagOf, type Members, member, resourceOf, subjectOf, writableOf } from './user.ts';

const faultOf = (given: Members): string => {
  try {
    fieldsOf(given);
  } catch (error) {
    expect(error).toBeInstanceOf(ScimFault);
    return (error as ScimFault).message;
  }
  return 'none';
};

describe('the user that an identity provider writes', () => {
  it('is read whole', () => {
    expect(
      fieldsOf({
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        userName: 'ada@example.org',
        externalId: 'e-1',
        displayName: 'Ada Lovelace',
        name: { givenName: 'Ada', familyName: 'Lovelace', nickName: 'A' },
        emails: [{ value: 'ada@example.org', type: 'work', primary: true }, { value: 'ada@home.example' }],
        active: false,
      }),
    ).toEqual({
      userName: 'ada@example.org',
      externalId: 'e-1',
      active: false,
      attributes: {
        displayName: 'Ada Lovelace',
        name: { givenName: 'Ada', familyName: 'Lovelace' },
        emails: [{ value: 'ada@example.org', type: 'work', primary: true }, { value: 'ada@home.example' }],
      },
    });
  });

  it('is active, and has no attribute, where it says nothing about them', () => {
    expect(fieldsOf({ userName: 'ada' })).toEqual({
      userName: 'ada',
      externalId: null,
      active: true,
      attributes: {},
    });
  });

  it.each([null, '', undefined])('has no attribute that is %j', (empty) => {
    expect(fieldsOf({ userName: 'ada', externalId: empty, displayName: empty, emails: [{ value: empty }] })).toEqual({
      userName: 'ada',
      externalId: null,
      active: true,
      attributes: {},
    });
  });

  it('keeps no password, nor any attribute that is not stored', () => {
    const read = fieldsOf({ userName: 'ada', password: 'correct horse', roles: [{ value: 'admin' }], title: 'Dr' });
    expect(JSON.stringify(read)).not.toMatch(/correct|admin|Dr/);
  });

  it('is read by names in any case, as RFC 7643 has them', () => {
    const read = fieldsOf({
      USERNAME: 'ada',
      Active: 'False',
      DisplayName: 'Ada',
      Emails: [{ Value: 'a@b.example', PRIMARY: 'TRUE' }],
    });
    expect(read).toMatchObject({ userName: 'ada', active: false });
    expect(read.attributes).toEqual({ displayName: 'Ada', emails: [{ value: 'a@b.example', primary: true }] });
  });

  it.each<[Members, RegExp]>([
    [{}, /^userName is missing\.$/],
    [{ userName: '' }, /^userName is missing\.$/],
    [{ userName: 7 }, /^userName /],
    [{ userName: 'two\nlines' }, /^userName /],
    [{ userName: 'a'.repeat(256) }, /^userName /],
    [{ userName: 'ada', externalId: ['x'] }, /^externalId /],
    [{ userName: 'ada', active: 'yes' }, /^active must be true or false\.$/],
    [{ userName: 'ada', active: 1 }, /^active must be true or false\.$/],
    [{ userName: 'ada', name: 'Ada' }, /^name must be an object\.$/],
    [{ userName: 'ada', name: { givenName: {} } }, /^name\.givenName /],
    [{ userName: 'ada', displayName: 'a'.repeat(201) }, /^displayName /],
    [{ userName: 'ada', emails: 'ada@example.org' }, /^emails must be a list of at most 20\.$/],
    [
      { userName: 'ada', emails: Array.from({ length: 21 }, () => ({ value: 'a@b.example' })) },
      /^emails must be a list/,
    ],
    [{ userName: 'ada', emails: ['ada@example.org'] }, /^emails must contain objects\.$/],
    [{ userName: 'ada', emails: [{ value: 3 }] }, /^emails\.value /],
    [
      { userName: 'ada', emails: [{ value: 'a@b.example', primary: 'no' }] },
      /^emails\.primary must be true or false\.$/,
    ],
  ])('is refused with the attribute that is wrong: %j', (given, said) => {
    expect(faultOf(given)).toMatch(said);
  });

  it('has at most one address that is primary, among those with a value', () => {
    const primary = { value: 'a@b.example', primary: true };
    expect(faultOf({ userName: 'ada', emails: [primary, { ...primary, value: 'b@b.example' }] })).toBe(
      'emails must have at most one that is primary.',
    );
    expect(fieldsOf({ userName: 'ada', emails: [primary, { value: '', primary: true }] }).attributes.emails).toEqual([
      primary,
    ]);
  });

  it.each(['userName', 'externalId', 'displayName'])('may not hold a secret in %s: it is kept and shown', (name) => {
    const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
    const said = faultOf({ userName: 'ada', [name]: secret });
    expect(said).toContain('looks like a secret');
    expect(said).not.toContain(secret);
  });

  it('whatever is given is read or refused with a sentence, and what is read is written and read again as the same', () => {
    const text = fc.oneof(fc.string({ maxLength: 30 }), fc.constantFrom('', ' ', null, 7, true, 'Zoë', '\u202e', '\0'));
    const given = fc.record(
      {
        userName: text,
        externalId: text,
        displayName: text,
        active: fc.oneof(fc.boolean(), fc.constantFrom('true', 'FALSE', 'x', null)),
        name: fc.oneof(fc.record({ givenName: text, familyName: text }, { requiredKeys: [] }), text),
        emails: fc.array(fc.record({ value: text, type: text, primary: fc.boolean() }, { requiredKeys: [] }), {
          maxLength: 3,
        }),
        __proto__: fc.constant(null),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(given, (members) => {
        if (faultOf(members) !== 'none') return;
        const fields = fieldsOf(members);
        expect(fieldsOf(writableOf(fields))).toEqual(fields);
      }),
    );
  });
});

describe('true or false', () => {
  it.each<[unknown, boolean]>([
    [true, true],
    [false, false],
    ['True', true],
    ['false', false],
  ])('%j is %s', (given, value) => {
    expect(flagOf(given, 'active')).toBe(value);
  });

  it.each([null, undefined, 0, 1, '', ' true', 'yes', {}, []])('%j is neither', (given) => {
    expect(() => flagOf(given, 'active')).toThrow('active must be true or false.');
  });
});

it('no member is found that the object only inherits', () => {
  expect(member({}, 'constructor')).toBeUndefined();
  expect(member(JSON.parse('{"__proto__": {"userName": "ada"}}') as Members, 'userName')).toBeUndefined();
});

describe('the subject of a user', () => {
  const user = { userName: 'ada', externalId: 'e-1', active: true, attributes: {} };

  it('is the attribute that the operator chose', () => {
    expect([subjectOf(user, 'userName'), subjectOf(user, 'externalId')]).toEqual(['ada', 'e-1']);
  });

  it('is required, and the refusal names the variable that chooses it', () => {
    expect(() => subjectOf({ ...user, externalId: null }, 'externalId')).toThrow(
      'externalId is missing: it names the subject here (CONSOLE_SCIM_SUBJECT).',
    );
  });

  it('is no reserved name', () => {
    expect(() => subjectOf({ ...user, userName: 'shared-pair' }, 'userName')).toThrow(/a reserved name/);
  });
});

it('a user is shown with what was stored alone, and its address', () => {
  const [createdAt, modifiedAt] = [new Date('2026-01-02T03:04:05Z'), new Date('2026-02-03T04:05:06Z')];
  const user = { id: 'u-1', userName: 'ada', externalId: null, active: true, attributes: {}, createdAt, modifiedAt };
  const shown = resourceOf(user as Parameters<typeof resourceOf>[0]);
  expect(shown).toEqual({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    id: 'u-1',
    userName: 'ada',
    active: true,
    meta: {
      resourceType: 'User',
      created: '2026-01-02T03:04:05.000Z',
      lastModified: '2026-02-03T04:05:06.000Z',
      location: expect.stringMatching(/\/Users\/u-1$/),
    },
  });
});
