import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { SURFACES } from '#tabs';
import { Verification } from './pages/audit/verification.tsx';
import { EndpointsPage } from './pages/endpoints/endpoints-page.tsx';
import { Snippets } from './pages/endpoints/snippets.tsx';
import { OverviewPage } from './pages/overview-page.tsx';
import { AccessDialog } from './pages/rights/access.tsx';
import { Palette } from './palette.tsx';
import { Surface } from './route/use-route.ts';
import { SURFACES as ON_PREMISE } from './tabs/on-premise.ts';
import { given, listed, refused } from './testing/api.ts';
import { endpoint } from './testing/catalog.ts';
import { overview, person } from './testing/objects.ts';
import { show } from './testing/show.tsx';

// What the roles of the signed-in person do not permit is refused by the API, and not offered by the pages.
const ROLES = {
  administrator: 'administrateur-d-instance',
  auditor: 'auditeur',
  user: 'utilisateur-standard',
} as const;
type Who = keyof typeof ROLES | 'the shared pair';

const signedIn = (who: Who) =>
  given('GET /api/session', {
    subject: who === 'the shared pair' ? null : 'ada',
    roles: who === 'the shared pair' ? [] : [{ role: ROLES[who], project: null }],
    gatewayUrl: 'https://gateway.example',
  });
const NOT_PERMITTED = refused(403, 'Your roles do not permit this.');

it('the verification of the logs, to an administrator', async () => {
  signedIn('administrator');
  show(<Verification />);
  expect(await screen.findByText('No role of yours permits this')).toBeDefined();
  expect(screen.getByText('The role Auditor carries “Verify the logs”.')).toBeDefined();
  expect([screen.queryByRole('button'), screen.queryByRole('textbox')]).toEqual([null, null]);
});

it.each(['auditor', 'the shared pair'] as const)('but the verification of the logs to %s', async (who) => {
  signedIn(who);
  show(<Verification />);
  expect(await screen.findByRole('button', { name: 'Verify' })).toBeDefined();
});

it.each<[Who, boolean]>([
  ['user', false],
  ['administrator', true],
  ['the shared pair', true],
])('a call of an endpoint from the console: %s', async (who, may) => {
  signedIn(who);
  const { user } = show(<Snippets endpoint="chat" />);
  await user.click(screen.getByRole('button', { name: 'Call it: chat' }));
  // Its address is known with the session.
  await waitFor(() => expect(document.body.textContent).toContain('https://gateway.example/chat/v1'));
  expect(screen.queryByRole('tab', { name: 'Try it' }) !== null).toBe(may);
});

const LOG = [
  'Decisions',
  'Who changed what',
  'Agent acts',
  'Secrets found',
  'Verify the log',
  'Export the decisions as CSV',
];
it.each<[Who, boolean]>([
  ['administrator', false],
  ['auditor', true],
  ['the shared pair', true],
])('commands that read the logs: %s', async (who, may) => {
  signedIn(who);
  for (const tabs of [SURFACES[who === 'auditor' ? '/audit' : '/'], ON_PREMISE[who === 'auditor' ? '/audit' : '/']]) {
    const { user, unmount } = show(
      <Palette opened close={() => undefined} surface="/" tabs={tabs} help={() => undefined} />,
    );
    const found = () => screen.queryAllByRole('option').map((one) => one.querySelector('p')?.textContent ?? '');
    await waitFor(() => expect(found()).toContain('Overview'));
    await waitFor(() => expect(found().filter((name) => LOG.includes(name))).toHaveLength(may ? LOG.length : 0));
    await user.type(await screen.findByRole('combobox', { name: 'Page, action or name' }), 'zoe');
    expect(found().includes('Decisions about “zoe”')).toBe(may);
    unmount();
  }
});

it.each<[Who, boolean]>([
  ['administrator', false],
  ['the shared pair', true],
])('links to the logs: %s', async (who, may) => {
  signedIn(who);
  given('GET /api/overview', overview());
  given('GET /api/providers/health', { health: [] });
  for (const path of ['spending-caps', 'budget-alerts', 'audit/decisions', 'usage/summary', 'plans'] as const)
    given(`GET /api/${path}`, NOT_PERMITTED);
  given('GET /api/subjects', listed('subjects', [person('ada')]));
  given('GET /api/users', listed('users', []));
  given('GET /api/subject-revocations', listed('subjectRevocations', []));
  given('GET /api/endpoints', listed('endpoints', [endpoint('chat')]));
  given('GET /api/models', listed('models', []));
  given('GET /api/providers', listed('providers', []));
  show(
    <Surface value={{ path: '/', tabs: ['audit'] }}>
      <OverviewPage />
      <EndpointsPage />
      <AccessDialog subject="ada" opened close={() => undefined} />
    </Surface>,
  );
  await within(await screen.findByRole('dialog')).findByText(/^Calls of/);
  await screen.findByText('Status');
  await screen.findByText('/chat');
  const links = () =>
    [...document.querySelectorAll('a')]
      .map((one) => one.hash)
      .filter((hash) => /^#audit\/(?!agent-sessions)/.test(hash));
  await waitFor(() => expect(links()).toHaveLength(may ? 9 : 0));
});
