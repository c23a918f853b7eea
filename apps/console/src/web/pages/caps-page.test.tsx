import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { given, listed, reads, refused } from '../testing/api.ts';
import { spending } from '../testing/objects.ts';
import { show } from '../testing/show.tsx';
import { CapsPage } from './caps-page.tsx';

const ALERT = {
  id: '1',
  at: '2026-05-19T08:00:00.000Z',
  subject: 'ada@example.com',
  month: '2026-05-01',
  threshold: 80,
  plan: 'team',
  planName: 'Team',
  cap: 10,
  spent: 8.005,
};

beforeEach(() => {
  given('GET /api/spending-caps', listed('spendingCaps', [spending('ada')]));
  given('GET /api/budget-alerts', listed('budgetAlerts', [ALERT]));
});

const cells = async (name: string) =>
  within(await screen.findByRole('row', { name: new RegExp(`^${name}`) }))
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);

describe('the caps', () => {
  it.each([
    [{ share: 0, spent: 0 }, ['Team', '0 %', '€0.00 of €10.00', '–']],
    [{ share: 0.004, spent: 0.04 }, ['Team', '< 1 %', '€0.04 of €10.00', '–']],
    [{ share: 0.9999, spent: 9.999, alerted: 80 }, ['Team', '99 %', '€10.00 of €10.00', 'at 80 %']],
    [{ share: 1, spent: 10, alerted: 100 }, ['Team', '100 %', '€10.00 of €10.00', 'at 100 %']],
    [{ share: 5000, spent: 5e4 }, ['Team', '> 1,000 %', '€50,000.00 of €10.00', '–']],
    [{ share: null, monthlyCap: null, spent: 0.001 }, ['Team', 'no cap', '< €0.01', '–']],
    [{ share: null, monthlyCap: null, spent: 0, plan: null }, ['no plan: refused', '–', '€0.00', '–']],
  ])('of %j say %j', async (but, shown) => {
    given('GET /api/spending-caps', listed('spendingCaps', [spending('ada', but)]));
    show(<CapsPage />);
    expect((await cells('ada')).slice(1)).toEqual(shown);
  });

  it('lead to the account, and to its alerts', async () => {
    given('GET /api/spending-caps', listed('spendingCaps', [spending('a&b', { alerted: 80 })]));
    show(<CapsPage />, '#caps');
    expect((await screen.findByRole('link', { name: 'a&b' })).getAttribute('href')).toBe('#users?search=a%26b');
    expect(screen.getByRole('link', { name: 'at 80 %' }).getAttribute('href')).toBe('#caps/alerts?search=a%26b');
    expect(screen.getByRole('progressbar', { name: 'a&b has spent 25 % of the cap' })).toBeDefined();
  });

  it.each([
    ['#caps', 'No account yet'],
    ['#caps?search=zoe', 'No account matches “zoe”.'],
  ])('say why they are empty: %s', async (address, says) => {
    given('GET /api/spending-caps', listed('spendingCaps', []));
    show(<CapsPage />, address);
    expect(await screen.findByText(says)).toBeDefined();
  });

  it('offer neither search nor export to who may not read them', async () => {
    given('GET /api/spending-caps', refused(403, 'Your roles do not permit this.'));
    show(<CapsPage />);
    await screen.findByText('No role of yours reads this');
    expect([screen.queryByRole('textbox'), screen.queryByRole('button', { name: 'Export' })]).toEqual([null, null]);
  });

  it('are exported as they are searched', async () => {
    const { user } = show(<CapsPage />, '#caps?search=ada');
    await cells('ada');
    await user.click(screen.getByRole('button', { name: 'Export' }));
    const csv = await screen.findByRole('menuitem', { name: 'CSV' });
    expect(csv.getAttribute('href')).toBe('/api/spending-caps?search=ada&format=csv');
  });
});

describe('the budget alerts', () => {
  it('say what was spent of the cap at that time', async () => {
    show(<CapsPage />, '#caps/alerts?search=ada');
    expect(await cells('ada')).toEqual([
      'ada@example.com',
      '80 %',
      '€8.01 of €10.00',
      'Team',
      '2026-05',
      '19 May 2026, 08:00:00',
    ]);
    expect(reads('/api/budget-alerts')).toEqual([{ search: 'ada', limit: '50' }]);
    expect(screen.getByRole('link', { name: 'ada@example.com' }).getAttribute('href')).toBe(
      '#users?search=ada%40example.com',
    );
  });

  it('name a plan that is gone by its slug', async () => {
    given('GET /api/budget-alerts', listed('budgetAlerts', [{ ...ALERT, planName: null }]));
    show(<CapsPage />, '#caps/alerts');
    expect((await cells('ada'))[3]).toBe('team');
  });

  it.each([
    ['#caps/alerts', 'No alert yet'],
    ['#caps/alerts?search=zoe', 'No alert of an account that matches “zoe”.'],
  ])('say why they are empty: %s', async (address, says) => {
    given('GET /api/budget-alerts', listed('budgetAlerts', []));
    show(<CapsPage />, address);
    expect(await screen.findByText(says)).toBeDefined();
  });

  it('are reached from the spending, and forget its search', async () => {
    const { user } = show(<CapsPage />, '#caps?search=ada');
    await cells('ada');
    await user.click(screen.getByRole('radio', { name: 'Budget alerts' }));
    await cells('ada@');
    expect([location.hash, reads('/api/budget-alerts')]).toEqual(['#caps/alerts', [{ limit: '50' }]]);
  });
});
