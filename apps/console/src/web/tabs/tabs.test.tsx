import { cleanup, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { SURFACES as HOSTED } from '#tabs';
import { ShownTab } from '../route/use-route.ts';
import { given, listed } from '../testing/api.ts';
import { show } from '../testing/show.tsx';
import { SURFACES as ON_PREMISE } from './on-premise.ts';
import type { Jump, Tab } from './tab.ts';

const SURFACES = { hosted: HOSTED, 'on-premise': ON_PREMISE };
const ALL = Object.entries(SURFACES).flatMap(([build, surfaces]) =>
  Object.entries(surfaces).map(([path, tabs]: [string, readonly Tab[]]) => [build, path, tabs] as const),
);
const MANUAL = Object.keys(import.meta.glob('../../../../../site/pages/**/*.md')).map((file) =>
  file.replace(/^.*\/site\/pages\/|\.md$/g, ''),
);

describe.each(ALL)('the tabs of the %s build at %s', (_, __, tabs) => {
  it('have each a name, a key and an address of their own', () => {
    for (const of of [(tab: Tab) => tab.identifier, (tab: Tab) => tab.label, (tab: Tab) => tab.key]) {
      const names = tabs.map(of);
      expect(new Set(names).size).toBe(names.length);
    }
    // After the key g: `o` leads to the overview, and g begins another pair.
    expect(tabs.map(({ key }) => key)).not.toEqual(expect.arrayContaining([expect.stringMatching(/^[og]$|..|[^a-z]/)]));
  });

  it('lead to pages that the manual has', () => {
    const pages = tabs.flatMap(({ manual, manuals = {} }) => [manual, ...Object.values(manuals)]);
    for (const page of pages) expect(MANUAL).toContain(page);
  });

  it('have commands that lead to a tab of their surface, or download', () => {
    for (const { to } of tabs.flatMap(({ jumps }) => jumps))
      expect(to.startsWith('/api/') || tabs.some(({ identifier }) => to.split(/[/?]/)[0] === identifier)).toBe(true);
  });
});

describe('a command of the palette', () => {
  beforeEach(() => {
    given('GET /api/session', { subject: null, roles: [], gatewayUrl: null });
    for (const [path, plural] of Object.entries({
      '/api/users': 'users',
      '/api/plans': 'plans',
      '/api/endpoints': 'endpoints',
      '/api/models': 'models',
      '/api/providers': 'providers',
      '/api/subjects': 'subjects',
      '/api/policies': 'policies',
      '/api/projects': 'projects',
      '/api/audit/organization-policy': 'attempts',
      '/api/audit/decisions': 'decisions',
      '/api/audit/agent-acts': 'agentActs',
      '/api/agent-execution': 'commands',
      '/api/agent-sessions': 'agentSessions',
      '/api/providers/health': 'health',
      '/api/audit/detections': 'detections',
      '/api/administration-actions': 'administrationActions',
      '/api/subject-revocations': 'subjectRevocations',
    }))
      given(`GET ${path as '/'}`, listed(plural, []));
    given('GET /api/policies/in-force', { policy: null });
    given('GET /api/organization', { organizations: [] });
  });

  const commands = HOSTED['/'].flatMap((tab) => tab.jumps.map((jump) => [jump.label, tab, jump] as const));
  const shown = ({ identifier, page: Page }: Tab, { to }: Jump) =>
    show(
      <ShownTab value={identifier}>
        <Page />
      </ShownTab>,
      `#${to}`,
    );

  it.each(commands.filter(([, , { to }]) => to.includes('?open=')))('opens its form: “%s”', async (_, tab, jump) => {
    shown(tab, jump);
    const writing = () => document.activeElement?.tagName === 'TEXTAREA';
    await waitFor(() => expect(screen.queryByRole('dialog') !== null || writing()).toBe(true));
    expect(location.hash).toBe(`#${jump.to.replace(/\?.*/, '')}`);
    cleanup();
  });

  it.each(commands.filter(([, , { to }]) => /^\w+\/[\w-]+$/.test(to)))('shows its part: “%s”', async (_, tab, jump) => {
    shown(tab, jump);
    const part = jump.to.split('/')[1];
    const chosen = () => document.querySelector<HTMLInputElement>('[role=radiogroup] input:checked')?.value;
    await waitFor(() => expect(chosen()).toBe(part));
  });
});
