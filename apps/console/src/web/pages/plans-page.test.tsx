import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { changes, EMPTY, given, held, listed, refused } from '../testing/api.ts';
import { plan } from '../testing/objects.ts';
import { fill, show } from '../testing/show.tsx';
import { PlansPage } from './plans-page.tsx';

const TEAM = plan('team');

beforeEach(() => given('GET /api/plans', listed('plans', [TEAM])));

const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });

async function creating() {
  const { user } = show(<PlansPage />, '#plans?open=plan');
  await screen.findByRole('dialog', { name: 'Create a plan' });
  return user;
}

async function editing() {
  const { user } = show(<PlansPage />);
  await user.click(await screen.findByRole('button', { name: 'Edit plan Team' }));
  await screen.findByRole('dialog', { name: 'Edit plan Team' });
  return user;
}

describe('the plans', () => {
  it('show their cap and their alerts', async () => {
    given(
      'GET /api/plans',
      listed('plans', [
        TEAM,
        plan('free', { monthlyCap: null, alertThresholds: [] }),
        plan('tiny', { monthlyCap: 0.000001 }),
        plan('none', { monthlyCap: 0 }),
      ]),
    );
    show(<PlansPage />);
    await screen.findByRole('table', { name: 'Plans' });
    const rows = screen.getAllByRole('row').slice(1);
    expect(
      rows.map((row) =>
        within(row)
          .getAllByRole('cell')
          .slice(0, 3)
          .map(({ textContent }) => textContent),
      ),
    ).toEqual([
      ['Teamteam', '€10.00', '80 %, 100 %'],
      ['Freefree', 'no cap', 'no alert'],
      ['Tinytiny', '€0.000001', '80 %, 100 %'],
      ['Nonenone', '€0.00', '80 %, 100 %'],
    ]);
  });

  it('say what to do where there is none', async () => {
    given('GET /api/plans', listed('plans', []));
    const { user } = show(<PlansPage />);
    await screen.findByText('No plan yet');
    await user.click(screen.getByRole('button', { name: 'Create the first plan' }));
    expect(await screen.findByRole('dialog', { name: 'Create a plan' })).toBeDefined();
  });

  it('that an account still has are not deleted, and say so', async () => {
    given('DELETE /api/plans/id-of-team', refused(409, 'An account has this plan. Give it another one first.'));
    const { user } = show(<PlansPage />);
    await user.click(await screen.findByRole('button', { name: 'Delete: Delete plan Team' }));
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('An account has this plan. Give it another one first.')).toBeDefined();
    given('DELETE /api/plans/id-of-team', EMPTY);
    given('GET /api/plans', listed('plans', []));
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Plan Team deleted.')).toBeDefined();
  });
});

describe('a new plan', () => {
  it('gets its slug from its name, and usual alerts', async () => {
    given('POST /api/plans', {});
    const user = await creating();
    await fill(user, field('Name'), 'Équipe Nº 1');
    expect(field('Slug').value).toBe('equipe-no-1');
    await user.type(field('Monthly cap'), '12.5{Enter}');
    expect(await screen.findByText('Plan Équipe Nº 1 created.')).toBeDefined();
    expect(changes()).toEqual([
      ['POST /api/plans', { name: 'Équipe Nº 1', slug: 'equipe-no-1', monthlyCap: 12.5, alertThresholds: [80, 100] }],
    ]);
  });

  it('keeps a slug that somebody wrote', async () => {
    const user = await creating();
    await user.type(field('Name'), 'Te');
    await fill(user, field('Slug'), 'mine');
    await user.type(field('Name'), 'am');
    expect([field('Name').value, field('Slug').value]).toEqual(['Team', 'mine']);
  });

  it.each([
    ['', []],
    ['100', [100]],
    ['100, 50 %; 50  1', [1, 50, 100]],
  ])('alerts at “%s”', async (typed, alertThresholds) => {
    given('POST /api/plans', {});
    const user = await creating();
    await fill(user, field('Name'), 'x');
    await fill(user, field('Alerts at'), typed);
    await user.keyboard('{Enter}');
    await screen.findByText('Plan x created.');
    expect(changes()[0]?.[1]).toEqual({ name: 'x', slug: 'x', monthlyCap: null, alertThresholds });
  });

  it('has no alert that is not a whole percentage', async () => {
    const user = await creating();
    await fill(user, field('Name'), 'x');
    for (const typed of ['0', '101', '12.5', 'often', '-5', '1e400']) {
      await fill(user, field('Alerts at'), typed);
      expect(field('Alerts at').getAttribute('aria-invalid')).toBeNull();
      await user.keyboard('{Enter}');
      expect(screen.getByText('Write whole percentages from 1 to 100, such as 80, 100.')).toBeDefined();
    }
    expect(changes()).toEqual([]);
  });

  it('has a cap that is a number of euros, never negative, without a thousands separator', async () => {
    const user = await creating();
    await user.type(field('Name'), 'Team');
    for (const typed of ['-1', '1a', '1.234,5']) {
      await user.clear(field('Monthly cap'));
      await user.type(field('Monthly cap'), `${typed}{Enter}`);
      expect(screen.getByText(/without a thousands separator/)).toBeDefined();
    }
    expect(changes()).toEqual([]);
    given('POST /api/plans', {});
    await user.clear(field('Monthly cap'));
    await user.type(field('Monthly cap'), '12,5{Enter}');
    await waitFor(() => expect(changes()[0]?.[1]).toMatchObject({ monthlyCap: 12.5 }));
  });

  it('keeps everything typed where its slug is taken, and says it at the slug', async () => {
    given('POST /api/plans', refused(409, 'There is a plan of this slug.', { fields: { slug: 'is taken' } }));
    const user = await creating();
    await user.type(field('Name'), 'Team{Enter}');
    expect(await screen.findByText('is taken')).toBeDefined();
    expect(screen.getByRole('alert').textContent).toBe('There is a plan of this slug.');
    expect(field('Name').value).toBe('Team');
  });
});

describe('a plan that is edited', () => {
  it('sends only what was changed: another administrator may have changed the rest', async () => {
    given('PATCH /api/plans/id-of-team', {});
    const user = await editing();
    expect([field('Monthly cap').value, field('Alerts at').value]).toEqual(['10', '80 %, 100 %']);
    await user.clear(field('Monthly cap'));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Plan Team saved. It takes effect with the next call.')).toBeDefined();
    expect(changes()).toEqual([['PATCH /api/plans/id-of-team', { monthlyCap: null }]]);
  });

  it('sends nothing where alerts are written otherwise but are the same', async () => {
    const user = await editing();
    await fill(user, field('Alerts at'), '100;80');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(changes()).toEqual([]);
  });

  it('keeps its slug when it is renamed', async () => {
    given('PATCH /api/plans/id-of-team', {});
    const user = await editing();
    await fill(user, field('Name'), 'Crew');
    await user.keyboard('{Enter}');
    await screen.findByText('Plan Crew saved. It takes effect with the next call.');
    expect(changes()[0]?.[1]).toEqual({ name: 'Crew' });
  });

  it('keeps what was typed while the list is read again', async () => {
    const user = await editing();
    await fill(user, field('Name'), 'Crew');
    given('GET /api/plans', listed('plans', [plan('team', { name: 'Theirs' })]));
    const letGo = held('PATCH /api/plans/id-of-team', refused(404, 'There is no such plan.'));
    await user.keyboard('{Enter}');
    letGo();
    expect(await screen.findByText('There is no such plan.')).toBeDefined();
    await waitFor(() => expect(screen.getByText('Theirs')).toBeDefined());
    expect(field('Name').value).toBe('Crew');
  });
});
