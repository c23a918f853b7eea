import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Member, MemberPlan, UsageSummary } from '../../api/objects.ts';
import { changes, given, held, listed, reads, refused } from '../../testing/api.ts';
import { show } from '../../testing/show.tsx';
import { MemberPlansPage } from './member-plans-page.tsx';
import { MembersPage } from './members-page.tsx';
import { ProjectUsagePage } from './project-usage-page.tsx';

const OWN = 'GET /api/projects/own';
const projects = (...names: readonly string[]) =>
  listed(
    'projects',
    names.map((project) => ({ project })),
  );
const member = (subject: string, but: Partial<Member> = {}): Member => ({
  project: 'apollo',
  subject,
  registered: true,
  enabled: true,
  disabledBy: null,
  revoked: false,
  displayName: null,
  addedBy: 'grace',
  addedAt: '2026-05-01T08:00:00.000Z',
  ...but,
});

beforeEach(() => given(OWN, projects('apollo', 'gemini 2')));

describe('the project that is shown', () => {
  beforeEach(() => {
    given('GET /api/projects/apollo/members', listed('members', [member('ada')]));
    given('GET /api/projects/gemini%202/members', listed('members', []));
  });
  const choice = () => screen.findByRole<HTMLInputElement>('combobox', { name: 'Project' });

  it('is the first one, or the one of the address; another is chosen there', async () => {
    const { user } = show(<MembersPage />, '#members?page=2&at=x');
    expect(await screen.findByRole('heading', { name: 'Members of apollo' })).toBeDefined();
    await user.click(await choice());
    await user.click(await screen.findByRole('option', { name: 'gemini 2' }));
    expect(await screen.findByRole('heading', { name: 'Members of gemini 2' })).toBeDefined();
    expect(location.hash).toBe('#members?project=gemini+2');
    expect(await screen.findByText('Nobody belongs to this project yet.')).toBeDefined();
  });

  it.each([
    ['#members?project=gemini+2', 'Members of gemini 2'],
    ['#members?project=of+somebody+else', 'Members of apollo'],
  ])('of the address %s is one of the caller', async (address, name) => {
    show(<MembersPage />, address);
    expect(await screen.findByRole('heading', { name })).toBeDefined();
  });

  it('needs no choice where there is one', async () => {
    given(OWN, projects('apollo'));
    show(<MembersPage />);
    await screen.findByRole('row', { name: /^ada/ });
    expect(screen.queryByRole('combobox', { name: 'Project' })).toBeNull();
  });

  it('is none before there is any', async () => {
    given(OWN, projects());
    show(<MembersPage />);
    expect(await screen.findByText(/^There is no project yet\./)).toBeDefined();
    expect(screen.getByRole('heading', { name: 'Members' })).toBeDefined();
  });

  it('is not said to be none while that cannot be read', async () => {
    given(OWN, refused(503, 'Down.', { down: 'database' }));
    show(<MembersPage />);
    expect(await screen.findByRole('alert')).toBeDefined();
    expect(screen.queryByText(/^There is no project yet\./)).toBeNull();
  });
});

describe('the members of a project', () => {
  const PATH = 'PATCH /api/projects/apollo/members/a%2Fda';
  const toggle = (subject: string) => screen.findByRole<HTMLInputElement>('switch', { name: `${subject} is enabled` });
  const shown = (...members: readonly Member[]) => {
    given('GET /api/projects/apollo/members', listed('members', members));
    return show(<MembersPage />).user;
  };

  it('are enabled and disabled, which can be undone', async () => {
    given(PATH, ({ body }) => {
      given('GET /api/projects/apollo/members', listed('members', [member('a/da', body as Partial<Member>)]));
      return {};
    });
    const user = shown(member('a/da'));
    await user.click(await toggle('a/da'));
    expect(await screen.findByText('a/da is refused from the next call on.')).toBeDefined();
    await waitFor(async () => expect((await toggle('a/da')).checked).toBe(false));
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('The account of a/da is enabled again.')).toBeDefined();
    await waitFor(async () => expect((await toggle('a/da')).checked).toBe(true));
    expect(changes()).toEqual([
      [PATH, { enabled: false }],
      [PATH, { enabled: true }],
    ]);
  });

  it('are not promised to be served where the whole instance refuses them', async () => {
    given(PATH, {});
    const user = shown(member('a/da', { enabled: false, disabledBy: 'project', revoked: true }));
    expect(await screen.findByText('revoked: the whole instance refuses it')).toBeDefined();
    await user.click(await toggle('a/da'));
    const says = 'The account of a/da is enabled, but a/da is still refused: the whole instance revoked it.';
    expect(await screen.findByText(says)).toBeDefined();
  });

  it('that the instance disabled are not enabled by a project', async () => {
    shown(member('ada', { enabled: false, disabledBy: 'instance' }));
    expect((await toggle('ada')).disabled).toBe(true);
    expect(screen.getByText(/^disabled by an instance administrator;/)).toBeDefined();
  });

  it('that were not seen yet have no switch', async () => {
    shown(
      member('ada', { registered: false }),
      member('alan', { registered: false, revoked: true, displayName: 'Alan T.' }),
    );
    const cells = async (name: string) =>
      within(await screen.findByRole('row', { name: new RegExp(`^${name}`) }))
        .getAllByRole('cell')
        .map(({ textContent }) => textContent);
    expect(await cells('ada')).toEqual(['ada', '1 May 2026, 08:00:00', 'grace', 'not seen yet']);
    expect(await cells('Alan')).toEqual([
      'Alan T. (alan)',
      '1 May 2026, 08:00:00',
      'grace',
      'revoked: the whole instance refuses it',
    ]);
    expect(screen.queryByRole('switch')).toBeNull();
  });

  it('say beside the switch why it was refused', async () => {
    given(PATH, refused(409, 'An administrator of the instance disabled it meanwhile.'));
    const user = shown(member('a/da'));
    await user.click(await toggle('a/da'));
    expect(await screen.findByText('An administrator of the instance disabled it meanwhile.')).toBeDefined();
  });
});

describe('the plans of members', () => {
  const PLANS = [
    { id: 'p1', name: 'Team' },
    { id: 'p2', name: 'Trial' },
  ];
  const of = (subject: string, but: Partial<MemberPlan> = {}) => ({ subject, plan: 'p1', registered: true, ...but });
  const page = (...members: readonly object[]) => ({ ...listed('memberPlans', members), plans: PLANS });
  const field = (subject: string) => screen.findByRole<HTMLInputElement>('combobox', { name: `Plan of ${subject}` });

  it('are changed by the administrator of the project', async () => {
    given('GET /api/projects/apollo/member-plans', page(of('ada')));
    given('PUT /api/projects/apollo/members/ada/plan', {});
    const { user } = show(<MemberPlansPage />);
    await waitFor(async () => expect((await field('ada')).value).toBe('Team'));
    await user.click(await field('ada'));
    await user.click(await screen.findByRole('option', { name: 'Trial' }));
    expect(await screen.findByText('Plan of ada changed.')).toBeDefined();
    expect(changes()).toEqual([['PUT /api/projects/apollo/members/ada/plan', { plan: 'p2' }]]);
  });

  it('say who has none, or one of another project, or was not seen yet', async () => {
    const members = [of('ada', { plan: null }), of('alan', { plan: 'unknown' }), of('grace', { registered: false })];
    given('GET /api/projects/apollo/member-plans', page(...members));
    show(<MemberPlansPage />);
    expect((await field('ada')).placeholder).toBe('no plan: refused');
    expect((await field('alan')).placeholder).toBe('has a plan');
    expect(screen.getByText('not seen yet')).toBeDefined();
  });
});

describe('the usage of a project', () => {
  const SUMS = {
    requests: 12,
    interrupted: 0,
    estimated: 0,
    inputTokens: 3400,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
  };
  const totals = { ...SUMS, outputTokens: 560, cost: 1.5, latencyMs: 900 };
  const summary = (but: object = {}): UsageSummary => ({
    totals: { ...totals, ...but },
    series: [],
    endpoints: [{ name: 'chat', ...totals }],
    models: [],
    subjects: [],
    counts: { endpoints: 1, models: 0, subjects: 0 },
  });

  it('is summed over its members, without links to pages that a project does not have', async () => {
    const letGo = held('GET /api/projects/apollo/usage', summary());
    show(<ProjectUsagePage />);
    expect(await screen.findByRole('heading', { name: 'Usage of apollo' })).toBeDefined();
    letGo();
    expect((await screen.findByText('Calls')).parentElement?.textContent).toContain('12');
    expect(screen.getAllByText('€1.50')).not.toEqual([]);
    expect(screen.queryByRole('link', { name: 'chat' })).toBeNull();
    const [asked] = reads('/api/projects/apollo/usage');
    expect(Object.keys(asked ?? {})).toEqual(expect.arrayContaining(['from', 'stretch']));
  });

  it('is not asked for without a project', async () => {
    given(OWN, projects());
    show(<ProjectUsagePage />);
    expect(await screen.findByText(/^There is no project yet\./)).toBeDefined();
    expect(screen.queryByText('Calls')).toBeNull();
  });

  it('says why it cannot be read', async () => {
    given('GET /api/projects/apollo/usage', refused(403, 'You do not have the permission usage:lire-le-projet.'));
    show(<ProjectUsagePage />);
    expect(await screen.findByText(/“Read the usage of a project”/)).toBeDefined();
  });
});
