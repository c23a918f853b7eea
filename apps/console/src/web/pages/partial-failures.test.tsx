import { screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { type FakeAnswer, given, listed, reads, refused } from '../testing/api.ts';
import { endpoint, model, provider } from '../testing/catalog.ts';
import { account, plan } from '../testing/objects.ts';
import { show } from '../testing/show.tsx';
import { FaultsOfPage } from '../ui/fault.tsx';
import { NearCaps } from './account/serverless.tsx';
import { Verification } from './audit/verification.tsx';
import { ConsumptionSection } from './endpoints/consumption-section.tsx';
import { EndpointsPage } from './endpoints/endpoints-page.tsx';
import { AuthorizationPolicy } from './policy/authorization-policy.tsx';
import { MemberPlansPage } from './project/member-plans-page.tsx';
import { summary, usageRecord } from './usage/testing/usage.ts';
import { UsagePage } from './usage/usage-page.tsx';
import { UsersPage } from './users/users-page.tsx';

const FAILED = refused(500, 'The console failed to answer.');
const NOT_PERMITTED = refused(403, 'Your roles do not permit this.');
/** Lists that are read whole, to choose from, fail; pages of them do not. */
const onlyPages =
  (answer: object): FakeAnswer =>
  ({ query }) =>
    query['limit'] === '500' ? FAILED() : answer;
const PLANS = listed('memberPlans', [{ subject: 'ada', plan: null, registered: true }]);

beforeEach(() => {
  const answers: Readonly<Record<string, FakeAnswer>> = {
    '/api/providers': listed('providers', [provider('lab')]),
    '/api/models': listed('models', [model('small')]),
    '/api/endpoints': listed('endpoints', [endpoint('chat')]),
    '/api/providers/health': { health: [] },
    '/api/users': listed('users', [account('ada')]),
    '/api/plans': listed('plans', [plan('team')]),
    '/api/usage': listed('usage', [usageRecord()]),
    '/api/usage/filters': { subjects: [], endpoints: [], models: [] },
    '/api/usage/summary': summary(),
    '/api/engine-results': { engines: [] },
    '/api/projects/own': listed('projects', [{ project: 'apollo' }]),
    '/api/projects/apollo/member-plans': PLANS,
    '/api/policies/in-force': NOT_PERMITTED,
    '/api/spending-caps': listed('spendingCaps', []),
    '/api/budget-alerts': listed('budgetAlerts', []),
  };
  for (const [path, answer] of Object.entries(answers)) given(`GET ${path as '/'}`, answer);
});

const CHARTS = 'charts and the period before';
const CHOICES = 'the models and providers to choose from';

it.each<[page: string, part: ReactNode, path: string, answer: FakeAnswer, says: string]>([
  ['Usage', <UsagePage />, '/api/consumption/series', FAILED, CHARTS],
  ['Usage', <UsagePage />, '/api/usage/filters', FAILED, 'the names to choose from'],
  [
    'Usage',
    <UsagePage />,
    '/api/usage/summary',
    ({ query }) => (query['stretch'] === undefined || query['until'] !== undefined ? FAILED() : summary()),
    CHARTS,
  ],
  ['Usage', <ConsumptionSection />, '/api/consumption/series', FAILED, 'the charts of the usage'],
  ['Endpoints', <EndpointsPage />, '/api/models', onlyPages(listed('models', [model('small')])), CHOICES],
  ['Endpoints', <EndpointsPage />, '/api/providers', onlyPages(listed('providers', [provider('lab')])), CHOICES],
  ['Endpoints', <EndpointsPage />, '/api/providers/key-variables', FAILED, 'the keys of the providers'],
  ['Users', <UsersPage />, '/api/plans', FAILED, 'the plans to choose from'],
  [
    'Plans of a project',
    <MemberPlansPage />,
    '/api/projects/apollo/member-plans',
    ({ query }) => (query['limit'] === undefined ? FAILED() : PLANS),
    'the plans to choose from',
  ],
  ['Policy', <AuthorizationPolicy />, '/api/policies/own', FAILED, 'what you installed'],
  ['Spending', <NearCaps />, '/api/usage/summary', FAILED, 'the spending of this month and the last'],
])('the page %s says which of its parts could not be read: %#', async (_, part, path, answer, says) => {
  given(`GET ${path as '/'}`, answer);
  show(part);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('The console failed to answer. Not read: ');
  expect(alert.textContent).toContain(says);
  expect(within(alert).getByRole('button', { name: 'Try again' })).toBeDefined();
});

it('a part is not named beside its section, where both failed alike', async () => {
  for (const path of ['usage/summary', 'usage/filters', 'consumption/series'] as const)
    given(`GET /api/${path}`, FAILED);
  show(
    <FaultsOfPage>
      <UsagePage />
    </FaultsOfPage>,
  );
  const usage = within(await screen.findByRole('region', { name: 'Usage' }));
  await usage.findByRole('alert');
  // Failed reads are repeated once before.
  await waitFor(() => expect(reads('/api/usage/filters')).toHaveLength(2));
  expect(screen.getAllByRole('alert')).toHaveLength(1);
  expect(screen.getByRole('alert').textContent).not.toContain('Not read');
});

it('sections that failed alike are named once, without their parts', async () => {
  for (const path of ['usage/summary', 'usage/filters', 'consumption/series', 'engine-results', 'usage'] as const)
    given(`GET /api/${path}`, FAILED);
  show(
    <FaultsOfPage>
      <UsagePage />
    </FaultsOfPage>,
  );
  await waitFor(() =>
    expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
      'The console failed to answer. Not read: Engine errors, Records, Usage.Try again',
    ]),
  );
});

it.each([
  ['Usage', <UsagePage />, '/api/usage/filters'],
  ['Users', <UsersPage />, '/api/plans'],
])('what another role reads is no failure of the page %s', async (_, part, path) => {
  given(`GET ${path as '/'}`, NOT_PERMITTED);
  show(part);
  await screen.findByRole('table', { name: /^(Users|Usage records)$/ });
  expect(screen.queryByRole('alert')).toBeNull();
});

it('an entry that cannot be read is not said to be absent', async () => {
  const lines = [{ result: 'broken', fault: 'digest', sequence: 7, sentence: 'Entry 7 was changed.', keys: [] }];
  given(
    'POST /api/audit/verification',
    () =>
      new Response(
        lines
          .map((line) => JSON.stringify(line))
          .join('\n')
          .concat('\n'),
      ),
  );
  given('GET /api/audit/decisions', FAILED);
  const { user } = show(<Verification />, '#audit/verification');
  await user.click(screen.getByRole('button', { name: 'Verify' }));
  expect((await screen.findByRole('alert')).textContent).toContain('The console failed to answer.');
  expect(screen.queryByText('The database has no entry with this number.')).toBeNull();
});
