import { Types } from 'scimmy';
import { describe, expect, it } from 'vitest';
import type { ScimFault } from './answers.ts';
import { matches, parseFilter } from './filter.ts';

const USER = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  id: '2819c223-7f76-453a-919d-413861904646',
  userName: 'Bjensen',
  externalId: 'Abc',
  displayName: 'Team "A" (R and D)',
  name: { familyName: "O'Malley", givenName: 'Barbara' },
  emails: [
    { value: 'bjensen@example.com', type: 'work', primary: true },
    { value: 'babs@example.org', type: 'home' },
  ],
  active: true,
  meta: { lastModified: '2011-05-13T04:42:34Z' },
};

// The examples of RFC 7644, section 3.4.2.2, that use attributes of a user stored here.
const EXAMPLES: readonly (readonly [string, boolean])[] = [
  ['userName eq "bjensen"', true],
  ['name.familyName co "O\'Malley"', true],
  ['userName sw "J"', false],
  ['userName sw "b"', true],
  ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "B"', true],
  ['title pr', false],
  ['userName pr', true],
  ['meta.lastModified gt "2011-05-13T04:42:33Z"', true],
  ['meta.lastModified ge "2011-05-13T04:42:35Z"', false],
  ['meta.lastModified lt "2011-05-13T04:42:35Z"', true],
  ['meta.lastModified le "2011-05-13T04:42:33Z"', false],
  ['title pr and userName eq "bjensen"', false],
  ['title pr or userName eq "bjensen"', true],
  ['userName eq "bjensen" and (emails co "example.com" or emails.value co "example.org")', true],
  ['userName ne "bjensen"', false],
  ['userName eq "bjensen" and not (emails co "example.net" or emails.value co "example.net")', true],
  ['emails[type eq "work" and value co "@example.com"]', true],
  ['emails[type eq "home" and value co "@example.com"]', false],
  ['emails[type eq "work" and value co "@example.com"] or emails[type eq "other"]', true],
  ['active eq true', true],
  ['active eq False', false],
  ['externalId eq "abc"', false],
  ['externalId eq "Abc"', true],
  ['EMAILS.TYPE ew "ME"', true],
  ['title eq null', true],
  ['not (userName eq "x")', true],
];

// Texts that contain words and marks of the grammar, groups in groups, and what a list of complex values means.
const TRAPS: readonly (readonly [string, boolean])[] = [
  ['displayName eq "Team \\"A\\" (R and D)"', true],
  ['displayName co "(R and D)"', true],
  ['(displayName co "D)")', true],
  ['not (displayName co "R and D")', false],
  ['userName eq "\\u0042jensen"', true],
  ['not (userName eq "x" or userName eq "bjensen")', false],
  ['not (userName eq "x" and active eq true)', true],
  ['((userName eq "bjensen") and (active eq true))', true],
  ['(title pr or active eq true) and (userName eq "x" or id pr)', true],
  ['active eq True', true],
  ['emails eq "BABS@example.org"', true],
  ['emails.type eq "home" and emails.value eq "bjensen@example.com"', true],
  ['emails[type eq "home" and value eq "bjensen@example.com"]', false],
  ['emails[type eq "home"].value eq "bjensen@example.com"', false],
  ['emails[not (type eq "work")].value eq "babs@example.org"', true],
];

describe('a filter', () => {
  it.each([...EXAMPLES, ...TRAPS])('%s: %s', (text, expected) => {
    expect(matches(parseFilter(text), USER)).toBe(expected);
  });

  // Filters that the independent library reads in the same way as the protocol.
  it.each([
    'userName eq "Bjensen"',
    'name.familyName co "O\'Malley"',
    'userName sw "J"',
    'title pr',
    'userName pr',
    'title pr or userName eq "Bjensen"',
    'emails[type eq "work" and value co "@example.com"]',
    'emails[type eq "home" and value co "@example.com"]',
    'active eq true',
  ])('%s: as an independent library reads it', (text) => {
    const found = new Types.Filter(text).match([structuredClone(USER)]);
    expect(matches(parseFilter(text), USER)).toBe(found.length === 1);
  });

  it.each([
    '',
    'userName',
    'userName eq',
    'userName is "x"',
    'userName eq x',
    'userName eq "x',
    '(userName eq "x"',
    'userName eq "x")',
    'emails[type eq "work"',
    'userName eq {"a":1}',
    'not userName eq "x"',
    '"x" eq userName',
    `${'('.repeat(60)}userName pr${')'.repeat(60)}`,
    `userName eq "${'x'.repeat(5000)}"`,
    // One that tries every division of the text would not end.
    `userName eq "${'\\a'.repeat(1000)}`,
  ])('that is invalid is rejected: %s', (text) => {
    expect(() => parseFilter(text)).toThrow(
      expect.objectContaining({ scimType: 'invalidFilter', status: 400 }) as ScimFault,
    );
  });

  it('of two hundred groups is read without a list of all their combinations', () => {
    const filter = parseFilter(Array(200).fill('(id pr or x pr)').join('and'));
    expect([matches(filter, USER), matches(filter, {})]).toEqual([true, false]);
  });
});
