import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { changes, EMPTY, given, listed, reads, refused } from '../../testing/api.ts';
import { person, USER_ROLE } from '../../testing/objects.ts';
import { show } from '../../testing/show.tsx';
import { People } from './people.tsx';
import { RolesDialog } from './roles.tsx';

const PEOPLE = 'GET /api/subjects';
const row = (name: string) => screen.findByRole('row', { name: new RegExp(`^${name}`) });
const cells = async (name: string) =>
  within(await row(name))
    .getAllByRole('cell')
    .slice(0, 4)
    .map(({ textContent }) => textContent);

beforeEach(() => given(PEOPLE, listed('subjects', [person('ada')])));

describe('the list of people', () => {
  it('says what each may do, and whether they are let in', async () => {
    given(
      PEOPLE,
      listed('subjects', [
        person('ada', { displayName: 'Ada Lovelace', origin: 'directory', projects: ['apollo', 'gemini'] }),
        person('alan', { enabled: false, roles: [] }),
        person('barbara', { revoked: true, enabled: false }),
        person('edsger\u200b', {
          origin: null,
          roles: [USER_ROLE, { role: 'administrateur-de-projet', project: 'apollo' }],
        }),
      ]),
    );
    show(<People />);
    expect(await cells('ada')).toEqual(['adaidentity providerAda Lovelace', 'UserChange', 'apollo, gemini', 'enabled']);
    expect(await cells('alan')).toEqual(['alan', 'no role: refusedChange', '', 'disabled']);
    expect(await cells('barbara')).toEqual(['barbara', 'UserChange', '', 'revoked']);
    expect(await cells('edsger')).toEqual([
      'edsger\\u200b',
      'UserProject administrator · apolloChange',
      '',
      'not seen yet',
    ]);
  });

  it('marks a name that looks like another one', async () => {
    given(PEOPLE, listed('subjects', [person('\u0430da', { origin: 'directory', resembles: 'ada' })]));
    show(<People />);
    expect(await screen.findByText(/^Looks like “ada”, but is another name/)).toBeDefined();
  });

  it.each([
    ['#governance/roles', 'Nobody is known yet.', { limit: '50' }],
    ['#governance/roles?search=zoe', 'No subject matches “zoe”.', { search: 'zoe', limit: '50' }],
  ])('says that it is empty: %s', async (address, says, read) => {
    given(PEOPLE, listed('subjects', []));
    show(<People />, address);
    expect(await screen.findByText(says)).toBeDefined();
    expect(reads('/api/subjects')).toEqual([read]);
  });

  it('offers nothing to a reader without the right', async () => {
    given(PEOPLE, refused(403, 'You do not have the permission membres:lire-l-instance.'));
    show(<People />);
    expect(await screen.findByText('No role of yours reads this')).toBeDefined();
    expect(screen.getByText('You do not have the permission “Read all people”.')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Grant a role' })).toBeNull();
  });

  it.each(['Access of ada', 'ada'])('opens the access of a person by “%s”', async (name) => {
    for (const [path, plural] of [
      ['/api/subject-revocations', 'subjectRevocations'],
      ['/api/users', 'users'],
      ['/api/plans', 'plans'],
    ] as const)
      given(`GET ${path}`, listed(plural, []));
    const { user } = show(<People />);
    await user.click(await screen.findByRole('button', { name }));
    expect(await screen.findByRole('dialog', { name: 'Access of ada' })).toBeDefined();
    expect(await screen.findByText('Calls of ada to endpoints are served.')).toBeDefined();
  });
});

describe('a role that is granted to any name', () => {
  async function opened() {
    const { user } = show(<People />, '#governance/roles?open=grant');
    await screen.findByRole('dialog', { name: 'Grant a role' });
    return user;
  }
  const field = (name: string) => screen.getByRole('textbox', { name });

  it('is asked for at the address, which forgets it', async () => {
    await opened();
    expect(location.hash).toBe('#governance/roles');
    await waitFor(() => expect(document.activeElement).toBe(field('Subject')));
  });

  it('is the one to call endpoints unless another is chosen', async () => {
    given('POST /api/role-assignments', {});
    const user = await opened();
    await user.type(field('Subject'), 'zoe{Enter}');
    expect(await screen.findByText('zoe has the role User.')).toBeDefined();
    expect(changes()).toEqual([['POST /api/role-assignments', { subject: 'zoe', role: 'utilisateur-standard' }]]);
  });

  it('has a project where it is one of a project, and only then', async () => {
    given('POST /api/role-assignments', {});
    const user = await opened();
    expect(screen.queryByRole('textbox', { name: 'Project' })).toBeNull();
    await user.click(screen.getByRole('combobox', { name: 'Role' }));
    await user.click(await screen.findByRole('option', { name: /^Project administrator/ }));
    expect(
      screen.getByRole('combobox', { name: 'Role', description: 'Manages the members of one project.' }),
    ).toBeDefined();
    await user.type(field('Subject'), 'zoe');
    await user.type(field('Project'), 'apollo{Enter}');
    await screen.findByText('zoe has the role Project administrator.');
    expect(changes()[0]?.[1]).toEqual({ subject: 'zoe', role: 'administrateur-de-projet', project: 'apollo' });
  });

  it('is refused to who audits, with the sentence of the console in English', async () => {
    given('POST /api/role-assignments', refused(409, 'zoe has the role auditeur: nobody both administers and audits.'));
    const user = await opened();
    await user.type(field('Subject'), 'zoe{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe(
      'zoe has the role Auditor: nobody both administers and audits.',
    );
  });
});

describe('the roles of a person', () => {
  const ROLES = 'GET /api/role-assignments';
  const held = (id: string, role: string, project: string | null = null) => ({
    id,
    subject: 'ada',
    role,
    project,
    author: 'grace',
    grantedAt: '2026-01-31T08:00:00.000Z',
  });
  const opened = () => show(<RolesDialog subject="ada" opened close={() => undefined} />).user;

  it('say who granted them, and are removed one at a time', async () => {
    given(ROLES, listed('roleAssignments', [held('1', 'auditeur'), held('2', 'administrateur-de-projet', 'apollo')]));
    given('DELETE /api/role-assignments/2', EMPTY);
    const user = opened();
    await screen.findByText('Project administrator · apollo', { exact: false });
    expect(screen.getAllByText('granted by grace')).toHaveLength(2);
    const name = 'Remove the role Project administrator · apollo from ada';
    await user.click(screen.getByRole('button', { name: `Remove: ${name}` }));
    const sure = await screen.findByRole('dialog', { name });
    given(ROLES, listed('roleAssignments', [held('1', 'auditeur')]));
    await user.click(within(sure).getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('ada no longer has the role Project administrator.')).toBeDefined();
    await waitFor(() => expect(screen.getAllByText('granted by grace')).toHaveLength(1));
    expect(reads('/api/role-assignments')[0]).toEqual({ subject: 'ada', limit: '50' });
  });

  it('say that there is none, and are granted here', async () => {
    given(ROLES, listed('roleAssignments', []));
    given('POST /api/role-assignments', () => {
      given(ROLES, listed('roleAssignments', [held('1', 'utilisateur-standard')]));
      return {};
    });
    const user = opened();
    await screen.findByText('No role yet: every call is refused.');
    await user.dblClick(screen.getByRole('button', { name: 'Grant' }));
    expect(await screen.findByText('granted by grace')).toBeDefined();
    expect(changes()).toHaveLength(1);
  });

  it('mark the project at fault, and show any other fault above the button', async () => {
    given(ROLES, listed('roleAssignments', []));
    given('POST /api/role-assignments', refused(400, 'Bad.', { fields: { project: 'is too long' } }));
    const user = opened();
    await user.click(await screen.findByRole('combobox', { name: 'Role' }));
    await user.click(await screen.findByRole('option', { name: /^Project administrator/ }));
    await user.type(screen.getByRole('textbox', { name: 'Project' }), 'apollo{Enter}');
    expect(await screen.findByText('is too long')).toBeDefined();
    expect(screen.getByRole('alert').textContent).toBe('One field needs correction.');
    given('POST /api/role-assignments', refused(409, 'ada has that role.'));
    await user.click(screen.getByRole('button', { name: 'Grant' }));
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('ada has that role.'));
  });
});
