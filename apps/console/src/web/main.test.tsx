import { screen } from '@testing-library/react';
import type * as Client from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LONGEST_RETURN_LOCATION } from '../server/sign-in/longest-return-location.ts';
import { given, listed } from './testing/api.ts';

/** What the page drew: it would go on reading in the tests after it. */
const roots: { readonly unmount: () => void }[] = [];

beforeEach(() => {
  vi.resetModules();
  vi.doMock('react-dom/client', async () => {
    const actual = await vi.importActual<typeof Client>('react-dom/client');
    const createRoot: typeof actual.createRoot = (...given) => {
      const root = actual.createRoot(...given);
      roots.push(root);
      return root;
    };
    return { ...actual, createRoot };
  });
  given('GET /api/session', { subject: null, roles: [], gatewayUrl: null });
  given('GET /api/plans', listed('plans', []));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.doUnmock('react-dom/client');
  for (const root of roots.splice(0)) root.unmount();
  document.body.replaceChildren();
});

describe('a page of the console', () => {
  it('that is opened without a session leads to the sign-in, which returns to the same place', async () => {
    history.replaceState(null, '', '/audit#audit/decisions?subject=a&page=2');
    const replace = vi.spyOn(location, 'replace').mockImplementation(() => undefined);
    await import('./client.ts');
    expect(replace.mock.calls).toEqual([['/auth/login?to=%2Faudit%23audit%2Fdecisions%3Fsubject%3Da%26page%3D2']]);
  });

  it.each([
    [LONGEST_RETURN_LOCATION, 'itself'],
    [LONGEST_RETURN_LOCATION + 1, 'its surface'],
  ])('whose address has %d characters returns to %s', async (length, to) => {
    const long = '/audit#'.padEnd(length, 'a');
    history.replaceState(null, '', long);
    const replace = vi.spyOn(location, 'replace').mockImplementation(() => undefined);
    await import('./client.ts');
    const returned = to === 'itself' ? long : '/audit';
    expect(replace.mock.calls).toEqual([[`/auth/login?to=${encodeURIComponent(returned)}`]]);
  });

  it('shows the place of its address, and is loaded again when it comes back from the history', async () => {
    history.replaceState(null, '', '/#plans');
    document.body.innerHTML = '<div id="root"></div>';
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
    await import('./main.tsx');
    expect(await screen.findByText('No plan yet')).toBeDefined();
    const show = (persisted: boolean) => dispatchEvent(Object.assign(new Event('pageshow'), { persisted }));
    show(false);
    expect(reload).not.toHaveBeenCalled();
    show(true);
    expect(reload).toHaveBeenCalled();
  });
});
