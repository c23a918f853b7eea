import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Overview } from '../api/objects.ts';
import { Surface } from '../route/use-route.ts';
import { given, held, listed, reads, refused, unreachable } from '../testing/api.ts';
import { overview, spending } from '../testing/objects.ts';
import { show } from '../testing/show.tsx';
import { FaultsOfPage } from '../ui/fault.tsx';
import { OverviewPage } from './overview-page.tsx';

const NOW = new Date('2026-05-20T12:00:00.000Z');
const NOT_PERMITTED = refused(403, 'Your roles do not permit this.');
const decision = (sequence: number, but: object = {}) => ({
  sequence,
  at: '2026-05-20T11:59:00.000Z',
  subject: 'ada',
  resource: 'endpoint:chat',
  outcome: 'granted',
  reason: 'role',
  ...but,
});

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
  given('GET /api/session', { subject: null, roles: [], gatewayUrl: 'https://gateway.example' });
  given('GET /api/overview', overview());
  given('GET /api/audit/decisions', { decisions: [] });
  given('GET /api/spending-caps', listed('spendingCaps', []));
  given('GET /api/budget-alerts', listed('budgetAlerts', []));
  given('GET /api/usage/summary', { totals: { cost: 12.345 }, subjects: [] });
  given('GET /api/providers/health', { health: [] });
});
afterEach(() => void vi.useRealTimers());

const page = (tabs = ['users', 'usage', 'audit']) =>
  show(
    <Surface value={{ path: '/', tabs }}>
      <FaultsOfPage>
        <OverviewPage />
      </FaultsOfPage>
    </Surface>,
  );

/** The texts and the link of each tile, by its label. */
async function tiles(but: Partial<Overview> = {}) {
  given('GET /api/overview', overview(but));
  page();
  await screen.findByText('Status');
  return (label: string) => {
    const tile = screen.getByText(label).parentElement ?? document.body;
    return [...tile.querySelectorAll(':scope > :not(style)')].slice(1).map(({ textContent }) => textContent);
  };
}

describe('the overview', () => {
  it('says that it is loading, then what the instance does; each number leads to its page', async () => {
    const letGo = held('GET /api/overview', overview());
    page();
    expect(screen.getByRole('status', { name: 'Overview: loading' })).toBeDefined();
    letGo();
    const link = (name: string) => screen.findByRole('link', { name }).then((one) => one.getAttribute('href'));
    expect(await link('serving')).toBe('#endpoints');
    expect(await link('1,234')).toBe('#usage?period=day');
    expect(await link('5')).toBe('#audit/decisions?outcome=refused');
    expect(await link('revision 4')).toBe('#governance');
    expect(await link('never')).toBe('#audit/verification');
  });

  it('leads to the log for its calls where the build has no usage', async () => {
    page(['endpoints', 'audit']);
    expect((await screen.findByRole('link', { name: '1,234' })).getAttribute('href')).toBe('#audit/decisions');
  });

  it.each([
    [{ activeEndpoints: 0, failedLastHour: 3 }, 'not set up'],
    [{ callsLastHour: 10, failedLastHour: 0 }, 'serving'],
    [{ callsLastHour: 10, failedLastHour: 5 }, 'some errors'],
    [{ callsLastHour: 10, failedLastHour: 6 }, 'failing'],
  ])('of %j says “%s”', async (but, status) => {
    const tile = await tiles(but);
    expect(tile('Status')).toEqual([status, 'last call 31 Jan 2026, 08:00:00']);
  });

  it('marks counts that were stopped at their limit, and says what there never was', async () => {
    const tile = await tiles({
      callsLastDay: 100_000,
      failedLastDay: 99_999,
      failedLastHour: 1,
      policyRevision: null,
      lastCallAt: null,
    });
    expect(tile('Calls, last day')).toEqual(['over 100,000']);
    expect(tile('Engine errors, last day')).toEqual(['99,999', '1 in the last hour']);
    expect(tile('Authorization policy')).toEqual(['none']);
    expect(tile('Status')[1]).toBe('no call yet');
  });

  it.each([
    [null, ['never', 'no log verified yet']],
    [{ at: '2026-05-19T08:00:00.000Z', entries: 12_345, brokenAt: null }, ['19 May 2026', 'intact, 12,345 entries']],
    [{ at: '2026-05-19T08:00:00.000Z', entries: null, brokenAt: 1001 }, ['19 May 2026', 'broken at entry 1,001']],
  ])('says what the last verification found: %#', async (lastVerification, says) => {
    const tile = await tiles({ lastVerification: lastVerification as Overview['lastVerification'] });
    expect(tile('Last verification')).toEqual(says);
  });

  it.each([
    ['2026-05-20T11:59:59.000Z', ['expired', 'renew it now']],
    ['2026-05-20T12:00:01.000Z', ['20 May 2026', '0 days left']],
    ['2026-05-21T13:00:00.000Z', ['21 May 2026', '1 day left']],
    ['2029-05-20T12:00:00.000Z', ['20 May 2029', '1,096 days left']],
  ])('says when the license ends, %s', async (licenseExpiresAt, says) => {
    const tile = await tiles({ licenseExpiresAt });
    expect(tile('License')).toEqual(says);
    expect(screen.queryByText('Certificate')).toBeNull();
    const link = within(screen.getByRole('group', { name: 'License' })).getByRole('link');
    expect(link.getAttribute('href')).toMatch(/\/v\/operator\/licence$/);
  });

  it('says that the database does not answer, and still shows what else it can', async () => {
    given('GET /api/overview', refused(503, 'Down.', { down: 'database' }));
    given('GET /api/audit/decisions', { decisions: [decision(7)] });
    page();
    expect(await screen.findByRole('alert', { name: "The console's database does not answer" })).toBeDefined();
    expect(await screen.findByRole('table', { name: 'Latest decisions' })).toBeDefined();
    expect(screen.queryByText('Status')).toBeNull();
  });
});

describe('a part of it that could not be read', () => {
  const ALL = ['overview', 'providers/health', 'spending-caps', 'budget-alerts', 'audit/decisions'] as const;
  const alerts = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent ?? '');

  it('says so at its place, and is read again', async () => {
    given('GET /api/providers/health', refused(500, 'The console failed to answer.'));
    const { user } = page();
    const engines = within(await screen.findByRole('region', { name: 'Engines' }));
    await engines.findByRole('alert');
    given('GET /api/providers/health', { health: [] });
    await user.click(engines.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(alerts()).toEqual([]));
  });

  it('is named in one message with the others, where all failed alike', async () => {
    for (const path of ALL) given(`GET /api/${path}`, unreachable);
    const { user } = page();
    const all = 'Not read: Budget alerts, Engines, Latest decisions, Overview, Spending.';
    await waitFor(() => expect(alerts()).toEqual([expect.stringContaining(all)]));
    const engines = () => within(screen.getByRole('region', { name: 'Engines' }));
    expect(engines().getByText('Not read: see the message above.')).toBeDefined();
    given('GET /api/overview', overview());
    for (const path of ['spending-caps', 'budget-alerts', 'audit/decisions'] as const)
      given(`GET /api/${path}`, { spendingCaps: [], budgetAlerts: [], decisions: [] });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    // The last one says it at its place again.
    await waitFor(() => expect(engines().getByRole('alert')).toBeDefined());
    expect(alerts()).toHaveLength(1);
  });

  it('stays named while it is read again', async () => {
    const HEALTH = 'GET /api/providers/health';
    for (const path of ['overview', 'providers/health'] as const) given(`GET /api/${path}`, unreachable);
    const { user } = page();
    await waitFor(() => expect(alerts().join()).toContain('Not read: Engines, Overview.'));
    const letGo = [held('GET /api/overview', overview()), held(HEALTH, { health: [] })];
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.queryByText('Not read: see the message above.')).toBeNull());
    expect(alerts()).toHaveLength(1);
    for (const go of letGo) go();
    await waitFor(() => expect(alerts()).toEqual([]));
  });

  it('is named apart from one that failed for another cause', async () => {
    for (const path of ['overview', 'spending-caps'] as const) given(`GET /api/${path}`, unreachable);
    for (const path of ['providers/health', 'audit/decisions'] as const)
      given(`GET /api/${path}`, refused(503, 'Down.', { down: 'database' }));
    page();
    await waitFor(() => {
      expect(alerts().join()).toContain('Not read: Overview, Spending.');
      expect(alerts().join()).toContain('Not read: Engines, Latest decisions.');
    });
    expect(alerts()).toHaveLength(2);
  });

  it('is not said to be up to date: what was read before stays, with its moment', async () => {
    const last = { at: '2026-05-20T11:59:00.000Z', provider: 'lab', status: 200, fault: null };
    const health = [{ provider: 'lab', name: 'Lab', last, lastFailure: null, callsLastHour: 7, failedLastHour: 0 }];
    given('GET /api/providers/health', { health });
    const { queries } = page();
    const engines = within(await screen.findByRole('region', { name: 'Engines' }));
    given('GET /api/providers/health', refused(500, 'The console failed to answer.'));
    await queries.invalidateQueries();
    expect((await engines.findByRole('alert')).textContent).toContain('The data below was read at');
    expect(engines.getByText('Lab')).toBeDefined();
  });
});

describe('what waits for somebody', () => {
  it('is shown where there is some of it', async () => {
    const tile = await tiles({ waiting: 1000, keysEnding: 2 });
    expect(tile('Waiting for a role')).toEqual(['over 1,000']);
    expect(tile('Keys that end within 14 days')).toEqual(['2']);
  });
  it('names the engines, the failing ones first', async () => {
    const last = { at: '2026-05-20T11:59:00.000Z', provider: 'x', status: 200, fault: null };
    given('GET /api/providers/health', {
      health: [
        { provider: 'fine', name: 'Fine one', last, lastFailure: null, callsLastHour: 7, failedLastHour: 0 },
        { provider: 'unused', name: 'Unused', last: null, lastFailure: null, callsLastHour: 0, failedLastHour: 0 },
        {
          provider: 'ill',
          name: 'Ill',
          last: { ...last, status: 503 },
          lastFailure: null,
          callsLastHour: 4,
          failedLastHour: 3,
        },
      ],
    });
    page();
    const section = within(await screen.findByRole('region', { name: 'Engines' }));
    expect(section.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Ill503 ?3 of 4 failed/),
      expect.stringMatching(/^Fine one200 ?0 of 7 failed/),
    ]);
  });
});

describe('the steps of the set-up', () => {
  it('are listed until all are done, the open ones as links', async () => {
    given('GET /api/overview', overview({ callers: 0, auditors: 0 }));
    page();
    expect(await screen.findByText('4 of 6 steps are done.')).toBeDefined();
    expect(screen.getByText('Connect an engine: done')).toBeDefined();
    const open = screen.getByRole('link', { name: 'Let a person call: grant the role User' });
    expect(open.getAttribute('href')).toBe('#governance/roles?open=grant');
    expect(screen.getByRole('link', { name: 'Grant somebody else the role Auditor' })).toBeDefined();
  });

  it('are gone once all are done', async () => {
    page();
    await screen.findByText('Status');
    expect(screen.queryByRole('region', { name: 'Set-up' })).toBeNull();
  });
});

describe('spending', () => {
  it('names who is near a cap, and what was spent', async () => {
    const near = spending('alan', { share: 0.8, spent: 8 });
    const over = spending('a&b', { share: 2.5, spent: 25 });
    given('GET /api/spending-caps', listed('spendingCaps', [over, near, spending('grace', { share: 0.79 })]));
    const subjects = [
      { name: 'a&b', cost: 9 },
      { name: 'alan', cost: 3.345 },
    ];
    given('GET /api/usage/summary', { totals: { cost: 12.345 }, subjects });
    page();
    const section = within(await screen.findByRole('region', { name: 'Spending' }));
    await section.findByText('€25.00 of €10.00');
    expect(section.getByRole('progressbar', { name: 'a&b has spent 250 % of the cap' })).toBeDefined();
    expect(section.getAllByRole('link', { name: 'a&b' }).map((one) => one.getAttribute('href'))).toEqual([
      '#usage?subject=a%26b',
      '#users?search=a%26b',
    ]);
    expect(section.queryByText('grace')).toBeNull();
    // 19.5 of 31 days have passed.
    expect((await section.findByRole('link', { name: '€12.35' })).parentElement?.textContent).toBe(
      '€12.35 was spent this month. At this rate the month costs €19.63. Last month cost €12.35.',
    );
    expect(section.getByText(/^Most was spent by/).textContent).toBe('Most was spent by a&b (€9.00), alan (€3.35).');
    expect(reads('/api/usage/summary')).toEqual([
      { from: '2026-05-01T00:00:00.000Z', stretch: 'month' },
      { from: '2026-04-01T00:00:00.000Z', until: '2026-05-01T00:00:00.000Z', stretch: 'month' },
    ]);
  });

  it('says that nobody is near one', async () => {
    page();
    expect((await screen.findByText(/^Nobody is near a cap\./)).textContent).toContain('All caps');
  });

  it('lists the alerts of this month alone', async () => {
    const alert = {
      id: '1',
      at: '2026-05-19T08:00:00.000Z',
      subject: 'ada',
      month: '2026-05-01',
      threshold: 100,
      plan: 'team',
      planName: 'Team',
      cap: 10,
      spent: 10.5,
    };
    given(
      'GET /api/budget-alerts',
      listed('budgetAlerts', [alert, { ...alert, id: '2', subject: 'alan', month: '2026-04-01' }]),
    );
    page();
    const section = within(await screen.findByRole('region', { name: 'Budget alerts' }));
    expect(section.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'ada100 % of the cap€10.50 of €10.0019 May 2026, 08:00:00',
    ]);
  });

  it('is not shown to who may not read it', async () => {
    for (const path of ['spending-caps', 'budget-alerts', 'usage/summary'] as const)
      given(`GET /api/${path}`, NOT_PERMITTED);
    page();
    await screen.findByText('Status');
    await waitFor(() => expect(reads('/api/spending-caps')).toHaveLength(1));
    expect(screen.queryByRole('region', { name: 'Spending' })).toBeNull();
  });
});

describe('the latest decisions', () => {
  it('are named with their reason, unless that is a role', async () => {
    given('GET /api/audit/decisions', {
      decisions: [
        decision(8, { subject: null, outcome: 'refused', reason: 'role-missing', resource: 'endpoint:\u202e' }),
        decision(7),
      ],
    });
    page();
    const table = await screen.findByRole('table', { name: 'Latest decisions' });
    expect(
      within(table)
        .getAllByRole('row')
        .map(({ textContent }) => textContent),
    ).toEqual([
      '20 May 2026, 11:59:00refusednobodyendpoint:\\u202eno role',
      '20 May 2026, 11:59:00grantedadaendpoint:chat',
    ]);
    expect(within(table).getByRole('link', { name: 'ada' }).getAttribute('href')).toBe('#audit/decisions?sequence=7');
  });

  it('say that there is none, and are absent for who may not read the log', async () => {
    page();
    expect(await screen.findByText('No decision yet.')).toBeDefined();
    given('GET /api/audit/decisions', NOT_PERMITTED);
    page();
    await waitFor(() => expect(reads('/api/audit/decisions')).toHaveLength(2));
    expect(screen.getAllByText('No decision yet.')).toHaveLength(1);
  });

  it('are read again every three seconds, until that is switched off', async () => {
    vi.useFakeTimers({ now: NOW });
    page();
    const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
    await pass(100);
    await pass(3_000);
    await pass(3_000);
    const read = reads('/api/audit/decisions').length;
    expect(read).toBe(3);
    act(() => screen.getByRole('switch', { name: 'Live' }).click());
    await pass(30_000);
    expect(reads('/api/audit/decisions')).toHaveLength(read);
  });

  it.each([
    [refused(503, 'Down.'), 1],
    [refused(401, 'Your session is over.'), 0],
  ])('go on after a failure, but not after a refusal: %#', async (answer, more) => {
    vi.useFakeTimers({ now: NOW });
    page();
    const pass = () => act(() => vi.advanceTimersByTimeAsync(3_100));
    await pass();
    given('GET /api/audit/decisions', answer);
    await pass();
    const read = reads('/api/audit/decisions').length;
    given('GET /api/audit/decisions', { decisions: [decision(8)] });
    await pass();
    await pass();
    expect(screen.queryAllByRole('link', { name: 'ada' })).toHaveLength(more);
    expect(reads('/api/audit/decisions').length > read).toBe(more === 1);
  });
});

it.each([
  [{ subject: null, roles: [] }, 'Verify the logs regularly: it shows whether an entry was changed or removed.'],
  [
    { subject: 'ada', roles: [{ role: 'auditeur', project: null }] },
    'Verify the logs regularly: it shows whether an entry was changed or removed.',
  ],
  [
    { subject: 'ada', roles: [{ role: 'administrateur-d-instance', project: null }] },
    'An auditor verifies the logs: it shows whether an entry was changed or removed.',
  ],
])('says who verifies the logs: %#', async (who, says) => {
  given('GET /api/session', { ...who, gatewayUrl: null });
  page();
  await waitFor(() => expect(screen.getByText(/shows whether an entry/).textContent).toBe(says));
});
