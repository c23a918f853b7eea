import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SURFACES } from '#tabs';
import { App } from './app.tsx';
import { given, held, listed, reads, unreachable } from './testing/api.ts';
import { show } from './testing/show.tsx';

const session = (subject: string | null, roles: readonly object[] = []) => ({ subject, roles, gatewayUrl: null });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] }); // two keys are a pair, however long a loaded machine takes between them
  given('GET /api/session', session(null));
  given('GET /api/plans', listed('plans', []));
  given('GET /api/spending-caps', listed('spendingCaps', []));
});

afterEach(() => void vi.useRealTimers());

const tabs = () => screen.getAllByRole('tab').map(({ textContent }) => textContent);
const selected = () => screen.queryByRole('tab', { selected: true })?.textContent;

describe('the console', () => {
  it('shows the tab of the address, its name in the title of the window, and the page of the manual', async () => {
    show(<App />, '#plans');
    expect(await screen.findByText('No plan yet')).toBeDefined();
    expect(tabs()).toEqual(['Overview', ...SURFACES['/'].map(({ label }) => label)]);
    expect([selected(), document.title]).toEqual(['Plans', 'Plans · Gateway console']);
    expect(screen.getByRole('link', { name: 'Manual: Plans, in a new tab' })).toBeDefined();
  });

  it('changes tabs by a click, by keys and by the browser, each with its address', async () => {
    const { user } = show(<App />, '#plans');
    await screen.findByText('No plan yet');
    await user.click(screen.getByRole('tab', { name: 'Caps' }));
    expect([selected(), location.hash]).toEqual(['Caps', '#caps']);
    await user.keyboard('gp');
    expect([selected(), location.hash]).toEqual(['Plans', '#plans']);
    history.back();
    await waitFor(() => expect(selected()).toBe('Caps'));
  });

  it('opens on the overview where the address names no tab, and from its name', async () => {
    given('GET /api/overview', unreachable);
    given('GET /api/audit/decisions', { decisions: [] });
    given('GET /api/budget-alerts', listed('budgetAlerts', []));
    given('GET /api/usage/summary', unreachable);
    given('GET /api/providers/health', unreachable);
    const { user } = show(<App />, '#no-such-tab');
    expect(await screen.findByRole('heading', { name: 'Overview' })).toBeDefined();
    const link = await screen.findByRole('link', { name: 'Gateway console' });
    expect(link.getAttribute('href')).toBe('#overview');
    await user.keyboard('go');
    expect(await screen.findByRole('heading', { name: 'Overview' })).toBeDefined();
    expect([selected(), document.title]).toEqual(['Overview', 'Overview · Gateway console']);
  });

  it('leads past its head for who walks it with the keyboard', async () => {
    const { user } = show(<App />, '#plans');
    await screen.findByText('No plan yet');
    await user.tab();
    expect(document.activeElement?.textContent).toBe('Skip to the page');
    await user.keyboard('{Enter}');
    expect(document.activeElement).toBe(screen.getByRole('main'));
    expect(location.hash).toBe('#plans');
  });

  it('opens the palette and the list of shortcuts by keys, and closes them by Escape', async () => {
    const { user } = show(<App />, '#plans');
    await user.keyboard('{Control>}k{/Control}');
    await user.type(await screen.findByRole('combobox', { name: 'Page, action or name' }), 'keyboard{Enter}');
    expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeDefined();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const [wide] = screen.getAllByRole('button', { name: /^Go to/ });
    if (wide !== undefined) await user.click(wide);
    expect(await screen.findByRole('dialog', { name: 'Go to' })).toBeDefined();
  });

  it('switches between light and dark, and remembers it', async () => {
    const { user, unmount } = show(<App />, '#plans');
    await user.click(await screen.findByRole('button', { name: 'Switch to the dark colours' }));
    expect(document.documentElement.dataset['mantineColorScheme']).toBe('dark');
    unmount();
    const again = show(<App />, '#plans');
    await again.user.click(await screen.findByRole('button', { name: 'Switch to the light colours' }));
    expect(document.documentElement.dataset['mantineColorScheme']).toBe('light');
  });

  it('reads everything shown again on request, and says while it does', async () => {
    const { user } = show(<App />, '#plans');
    await screen.findByText('No plan yet');
    const refresh = screen.getByRole('button', { name: 'Refresh' });
    await waitFor(() => expect(refresh.getAttribute('aria-busy')).toBe('false'));
    const letGo = held('GET /api/plans', listed('plans', []));
    await user.click(refresh);
    expect(refresh.getAttribute('aria-busy')).toBe('true');
    letGo();
    await waitFor(() => expect(refresh.getAttribute('aria-busy')).toBe('false'));
    expect([reads('/api/plans').length, reads('/api/session').length]).toEqual([2, 2]);
    await user.keyboard('r');
    await waitFor(() => expect(reads('/api/plans')).toHaveLength(3));
  });
});

describe('who is signed in', () => {
  const ROLE = { role: 'auditeur', project: null };
  const PROJECT = { role: 'administrateur-de-projet', project: 'apollo' };

  it.each([
    [session(null), 'Signed in as Shared pair (opens everything)'],
    [session('ada', [ROLE, PROJECT]), 'Signed in as ada (Auditor, Project administrator · apollo)'],
    [session('ada'), 'Signed in as ada (no role)'],
    [
      session('ada\u202e', [{ role: 'of-a-later-version', project: null }]),
      'Signed in as ada\\u202e (of-a-later-version)',
    ],
  ])('stands at the top: %#', async (who, title) => {
    given('GET /api/session', who);
    show(<App />, '#plans');
    expect(await screen.findAllByTitle(title)).not.toEqual([]);
  });

  it('can leave', async () => {
    show(<App />, '#plans');
    await screen.findByText('No plan yet');
    const banner = screen.getByRole('banner');
    const links = within(banner).getAllByRole('link', { name: 'Sign out' });
    expect(new Set(links.map((link) => link.getAttribute('href')))).toEqual(new Set(['/auth/logout']));
  });

  it('is not said before it is known, and the page works all the same', async () => {
    given('GET /api/session', unreachable);
    show(<App />, '#plans');
    expect(await screen.findByText('No plan yet')).toBeDefined();
    expect(screen.queryByTitle(/^Signed in as/)).toBeNull();
  });
});
