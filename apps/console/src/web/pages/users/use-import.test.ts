import { describe, expect, it } from 'vitest';
import { previewOfImport } from './use-import.ts';

const PLANS = [
  { value: 'p1', label: 'Team', slug: 'team' },
  { value: 'p2', label: 'Trial', slug: 'trial' },
];
const preview = (text: string) => previewOfImport(text, { known: new Set(['ada']), plans: PLANS });

describe('a file of people', () => {
  it('creates one account a line, with plan and role by name, slug, alias or identifier', () => {
    const { fault, lines } = preview(
      'User name;Plan;Role;Full name;E-mail\ngrace;Team;User;Grace Hopper;grace@example.org\nbarbara;trial;auditeur;;\nalan;;;;\n'.replace(
        'User name',
        'username',
      ),
    );
    expect(fault).toBeNull();
    expect(lines.map(({ line, body, faults }) => [line, body, faults])).toEqual([
      [
        2,
        {
          username: 'grace',
          plan: 'p1',
          role: 'utilisateur-standard',
          displayName: 'Grace Hopper',
          email: 'grace@example.org',
        },
        [],
      ],
      [3, { username: 'barbara', plan: 'p2', role: 'auditeur' }, []],
      [4, { username: 'alan' }, []],
    ]);
    expect(lines[0]?.shown).toEqual(['Team', 'User', 'Grace Hopper', 'grace@example.org']);
  });
  it.each([
    ['ada,Team,User,', 'ada has an account already'],
    [',Team,User,', 'has no username'],
    ['kim,Gold,User,', 'there is no plan Gold'],
    ['kim,Team,root,', 'there is no role root: User, Administrator or Auditor'],
    ['kim,Team,User,kim', 'kim is not an e-mail address'],
    ['kim,Team,User,a@b.c,more', 'has 5 fields; the first line has 4'],
    ['kim,,constructor,', 'there is no role constructor: User, Administrator or Auditor'],
  ])('reports what is wrong with %j', (row, fault) => {
    expect(preview(`username,plan,role,email\n${row}`).lines[0]?.faults).toEqual([fault]);
  });
  it('takes the e-mail addresses that the API takes', () => {
    const { lines } = preview('username,email\nkim,kim@localhost\nlee,lee@müller.example');
    expect(lines.map(({ faults }) => faults)).toEqual([[], []]);
  });
  it('reports a duplicate name, and every fault of a line', () => {
    const { lines } = preview('username,plan\nkim,\nkim,Gold');
    expect(lines.map(({ faults }) => faults)).toEqual([[], ['kim is on line 2 too', 'there is no plan Gold']]);
  });
  it.each([
    ['', 'The file is empty.'],
    ['username', 'The file has no line below the first.'],
    ['grace,Team', /^The first line must name the columns: .* Not known: grace, Team\.$/],
    ['plan,role\nTeam,User', /^The first line must name the columns/],
    ['username,password\nkim,x', /Not known: password\.$/],
  ])('%j is none', (text, fault) => {
    expect(preview(text).fault).toMatch(fault);
  });
});
