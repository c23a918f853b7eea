import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PolicyAttempt } from '../../api/objects.ts';
import { given, listed, reads, refused } from '../../testing/api.ts';
import { show } from '../../testing/show.tsx';
import { AuditedPolicyPage } from './audited-policy-page.tsx';
import { Difference, History, PolicyAttempts } from './history.tsx';
import { Preview } from './preview.tsx';

const AT = '2026-05-01T08:00:00.000Z';
const revision = (number: number, cedar: string) => ({ revision: number, cedar, author: 'grace', installedAt: AT });
const attempt = (but: Partial<PolicyAttempt> = {}): PolicyAttempt => ({
  id: '1',
  at: AT,
  kind: 'authorization',
  organization: null,
  author: 'grace',
  outcome: 'installed',
  revision: 4,
  fault: null,
  document: 'forbid …',
  ...but,
});

/** The texts of every row of a table. */
const rows = async (name: string) =>
  within(await screen.findByRole('table', { name }))
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    );

describe('the history of the policy', () => {
  const NAME = 'History of the authorization policy';
  beforeEach(() =>
    given('GET /api/policies', listed('policies', [revision(3, ''), revision(2, 'one\ntwo\n'), revision(1, 'one\n')])),
  );

  async function changesOf(number: number) {
    const { user } = show(<History />);
    await user.click(await screen.findByRole('button', { name: `Changes of revision ${number}` }));
    return within(await screen.findByRole('dialog', { name: `Revision ${number} of the policy` }));
  }

  it('names every revision and its author', async () => {
    show(<History />);
    const shown = await rows(NAME);
    expect(shown.map((cells) => cells.slice(0, 4))).toEqual([
      ['3', '1 May 2026, 08:00:00', 'grace', 'lifted: no restriction'],
      ['2', '1 May 2026, 08:00:00', 'grace', '2 lines'],
      ['1', '1 May 2026, 08:00:00', 'grace', '1 line'],
    ]);
  });

  it.each([
    [3, 'Difference to revision 2', '- one\n- two\n'],
    [2, 'Difference to revision 1', '  one\n+ two\n'],
    [1, 'Difference to nothing', '+ one\n'],
  ])('shows what revision %i changed', async (number, name, text) => {
    const dialog = await changesOf(number);
    expect(dialog.getByRole('region', { name }).textContent).toBe(text);
  });

  it('restores an earlier text where the reader may install one, but not the empty one', async () => {
    const restored: string[] = [];
    const { user } = show(<History restore={({ cedar }) => restored.push(cedar)} />);
    await user.click(await screen.findByRole('button', { name: 'Changes of revision 1' }));
    await user.click(await screen.findByRole('button', { name: 'Restore revision 1' }));
    await waitFor(() => expect(restored).toEqual(['one\n']));
    await user.click(screen.getByRole('button', { name: 'Changes of revision 3' }));
    await screen.findByRole('dialog', { name: 'Revision 3 of the policy' });
    expect(screen.queryByRole('button', { name: /^Restore/ })).toBeNull();
  });

  it('shows the whole text where the revision before is on another page', async () => {
    given('GET /api/policies', listed('policies', [revision(50, 'whole text')], { next: 'older' }));
    const dialog = await changesOf(50);
    expect(dialog.getByText('whole text')).toBeDefined();
  });

  it('is nothing for who may not see policies, but says that there is none yet, or that it cannot be read', async () => {
    given('GET /api/policies', refused(403, 'Not permitted.'));
    const first = show(<History />);
    await screen.findByRole('status');
    await expect.poll(() => screen.queryByRole('region')).toBeNull();
    first.unmount();
    given('GET /api/policies', listed('policies', []));
    show(<History />);
    expect(await screen.findByText('No policy was installed yet.')).toBeDefined();
  });
});

describe('the attempts at a policy', () => {
  it('say how each ended, and show what was sent', async () => {
    const fault = 'line 1: permit is not allowed';
    given(
      'GET /api/audit/policies',
      listed('attempts', [attempt(), attempt({ id: '2', outcome: 'refused', revision: null, fault })]),
    );
    const { user } = show(<PolicyAttempts kind="authorization" />);
    const shown = await rows('Attempts at an authorization policy');
    expect(shown.map((cells) => cells.slice(1, 4))).toEqual([
      ['grace', 'installed', 'revision 4'],
      ['grace', 'refused', fault],
    ]);
    const [first] = screen.getAllByRole('button', { name: 'Details: Attempt of grace' });
    if (first !== undefined) await user.click(first);
    expect(await screen.findByText('forbid …')).toBeDefined();
  });

  it('name the organization of its policy', async () => {
    const one = attempt({ kind: 'organization', organization: 'acme' });
    given('GET /api/audit/organization-policy', listed('attempts', [one]));
    show(<PolicyAttempts kind="organization" />, '#governance?organization-attempts.sort=organization');
    const [shown] = await rows('Attempts at an organization policy');
    expect(shown?.slice(1, 3)).toEqual(['acme', 'grace']);
    expect(reads('/api/audit/organization-policy')).toEqual([{ limit: '50', sort: 'organization' }]);
  });
});

describe('what an auditor reads of the policies', () => {
  const organization = { id: '1', slug: 'acme', name: 'Acme', policy: null as object | null };
  beforeEach(() => {
    given('GET /api/policies', listed('policies', []));
    given('GET /api/audit/policies', listed('attempts', []));
    given('GET /api/audit/organization-policy', { organizations: [organization], ...listed('attempts', []) });
  });

  it('is the text in force, and who installed it', async () => {
    given('GET /api/policies/in-force', { policy: revision(4, 'forbid (principal, action, resource);') });
    show(<AuditedPolicyPage />);
    expect((await screen.findByRole('group', { name: 'Text of the policy' })).textContent).toBe(
      'forbid (principal, action, resource);',
    );
    expect(screen.getByText('revision 4, by grace')).toBeDefined();
    expect(await screen.findByText('Imposes nothing.')).toBeDefined();
    expect(screen.queryByRole('textbox')).toBeNull();
  });

  it.each([null, revision(4, '')])('says that only the roles count where nothing is in force: %#', async (policy) => {
    given('GET /api/policies/in-force', { policy });
    show(<AuditedPolicyPage />);
    expect(await screen.findByText('None: only the role matrix applies.')).toBeDefined();
  });

  it('is what each organization imposes, whole', async () => {
    given('GET /api/policies/in-force', { policy: null });
    const policy = { revision: 2, author: 'alan', document: { tools: { exclude: ['shell'] } } };
    given('GET /api/audit/organization-policy', {
      organizations: [{ ...organization, policy }],
      ...listed('attempts', []),
    });
    const { user } = show(<AuditedPolicyPage />);
    await user.click(await screen.findByRole('button', { name: 'Revision 2, by alan' }));
    const drawer = await screen.findByRole('dialog', { name: 'Policy of Acme' });
    expect(drawer.textContent).toContain('"exclude": [\n      "shell"\n    ]');
  });

  it('says that a text could not be read, and tries again', async () => {
    given('GET /api/policies/in-force', refused(500, 'The console failed.'));
    const { user } = show(<AuditedPolicyPage />);
    expect((await screen.findByRole('alert')).textContent).toContain('The console failed.');
    expect(screen.queryByText('None: only the role matrix applies.')).toBeNull();
    given('GET /api/policies/in-force', { policy: null });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('None: only the role matrix applies.')).toBeDefined();
  });
});

describe('what a text would change', () => {
  const IMPACT = { examined: 1000, refused: 0, endpoints: [], roles: [], subjects: null, estimated: false };
  const SOUND = { faults: [], warnings: [], lockouts: [], impact: null };

  it('says how many of the last calls it would have refused, and whose', () => {
    const impact = {
      ...IMPACT,
      refused: 1200,
      endpoints: [
        { name: 'endpoint:chat', refused: 1000 },
        { name: 'execution', refused: 200 },
      ],
      roles: [{ name: 'utilisateur-standard', refused: 1200 }],
      subjects: [{ name: 'ada\u202e', refused: 1200 }],
      estimated: true,
    };
    show(<Preview {...SOUND} impact={impact} />);
    const note = screen.getByRole('note', { name: 'It would have refused 1,200 of the last 1,000 decisions' });
    for (const says of [
      'By endpoint or resource: /chat (1,000), execution (200)',
      'By role: User (1,200)',
      'By subject: ada\\u202e (1,200)',
      'An estimate:',
    ])
      expect(note.textContent).toContain(says);
  });

  it.each([
    [{ ...IMPACT, examined: 0 }, 'The log has no decision yet to test the text with.'],
    [IMPACT, 'It would have refused 0 of the last 1,000 decisions'],
  ])('says that it would refuse nobody: %#', (impact, says) => {
    show(<Preview {...SOUND} impact={impact} />);
    expect(screen.getByText(says)).toBeDefined();
    expect(screen.queryByText(/^By (role|subject|endpoint)/)).toBeNull();
  });

  it('names lines that are likely to be mistakes', () => {
    const warnings = [{ line: 3, column: 5, message: 'no endpoint is called "chta\u200b"' }];
    show(<Preview {...SOUND} warnings={warnings} />);
    const list = within(screen.getByRole('status', { name: 'Check these names and lines' }));
    expect(list.getByRole('listitem').textContent).toBe('Line 3, column 5: no endpoint is called "chta\\u200b"');
  });

  it.each([
    ['a\nb\n', 'a\nb\n', 'No difference to the revision in force.'],
    ['', '', 'No difference to the revision in force.'],
  ])('says that it changes nothing: %j to %j', (before, after, says) => {
    show(<Difference before={before} after={after} />);
    expect(screen.getByText(says)).toBeDefined();
  });
});
