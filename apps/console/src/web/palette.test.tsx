import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ManualLink, Palette } from './palette.tsx';
import type { Tab } from './tabs/tab.ts';
import { given, reads } from './testing/api.ts';
import { show } from './testing/show.tsx';

const tab = (identifier: string, label: string, jumps: Tab['jumps'] = []): Tab => ({
  identifier,
  label,
  page: () => null,
  key: identifier.slice(0, 1),
  manual: `operator/${identifier}`,
  jumps,
});
const TABS = [
  tab('users', 'Users', [
    { label: 'Create a user', to: 'users?open=user', keywords: 'add new account', isOfSharedPair: true },
  ]),
  tab('endpoints', 'Endpoints'),
  tab('audit', 'Audit', [
    { label: 'Export the decisions as CSV', to: '/api/audit/decisions?format=csv', keywords: 'download' },
  ]),
];
const session = (subject: string | null, gatewayUrl: string | null = null) => ({ subject, roles: [], gatewayUrl });

beforeEach(() => given('GET /api/session', session(null)));

const close = vi.fn();
const help = vi.fn();

function opened(tabs = TABS, surface = '/') {
  close.mockClear();
  help.mockClear();
  return show(<Palette opened close={close} surface={surface} tabs={tabs} help={help} />);
}

const field = () => screen.findByRole<HTMLInputElement>('combobox', { name: 'Page, action or name' });
const found = () => [...document.querySelectorAll('[role=option]')].map((option) => option.textContent);
const chosen = () => {
  const id = document.querySelector('[role=combobox]')?.getAttribute('aria-activedescendant');
  const selected = [...document.querySelectorAll('[aria-selected=true]')];
  expect(selected.map((option) => option.id)).toEqual([id]);
  return selected[0]?.textContent;
};

describe('the palette', () => {
  it('lists the pages, their actions, and what the console does', async () => {
    opened();
    await waitFor(() =>
      expect(found()).toEqual([
        'OverviewPage',
        'UsersPage',
        'EndpointsPage',
        'AuditPage',
        'Create a userUsers',
        'Export the decisions as CSVAudit',
        'RefreshConsole',
        'Switch to the dark coloursConsole',
        'Keyboard shortcutsConsole',
        'Sign outConsole',
      ]),
    );
    expect(document.activeElement).toBe(await field());
  });

  it('has no action that only the shared pair may do for anybody else, and no overview on other surfaces', async () => {
    given('GET /api/session', session('ada'));
    opened(TABS, '/audit');
    await waitFor(() => expect(reads('/api/session')).toHaveLength(1));
    await waitFor(() => expect(found()[0]).toBe('UsersPage'));
    expect(found()).not.toContain('Create a userUsers');
  });

  it('goes where Enter says, by typing alone', async () => {
    const { user } = opened();
    await user.type(await field(), 'endp{Enter}');
    expect(location.hash).toBe('#endpoints');
    expect(close).toHaveBeenCalledTimes(1);
  });

  it('is walked with the arrow keys, around its ends, and begins at the top with each letter', async () => {
    const { user } = opened();
    await field();
    await waitFor(() => expect(found()).toHaveLength(10));
    expect(chosen()).toBe('OverviewPage');
    await user.keyboard('{ArrowUp}');
    expect(chosen()).toBe('Sign outConsole');
    await user.keyboard('{ArrowDown}{ArrowDown}');
    expect(chosen()).toBe('UsersPage');
    await user.keyboard('au');
    expect(chosen()).toBe('AuditPage');
  });

  it('does what is clicked', async () => {
    const { user } = opened();
    await user.click(await screen.findByText('Keyboard shortcuts'));
    expect([close, help].map((called) => called.mock.calls.length)).toEqual([1, 1]);
    await user.click(screen.getByText('Switch to the dark colours'));
    expect(document.documentElement.dataset['mantineColorScheme']).toBe('dark');
    expect(await screen.findByText('Switch to the light colours')).toBeDefined();
    await user.click(screen.getByText('Switch to the light colours'));
  });

  it('chooses what is under the pointer', async () => {
    opened();
    fireEvent.pointerMove(await screen.findByText('Endpoints'));
    expect(chosen()).toBe('EndpointsPage');
  });

  it('leads to an address of the server as such: a download, or the end of the session', async () => {
    const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined);
    const { user } = opened();
    await user.type(await field(), 'download{Enter}');
    await user.clear(await field());
    await user.type(await field(), 'leave{Enter}');
    expect(assign.mock.calls).toEqual([['/api/audit/decisions?format=csv'], ['/auth/logout']]);
    assign.mockRestore();
  });

  it('says that nothing is called so, and does nothing then', async () => {
    const { user } = opened([]);
    await user.type(await field(), 'zzz{ArrowDown}{Enter}');
    expect(screen.getByRole('status').textContent).toBe('Nothing has this name.');
    expect(close).not.toHaveBeenCalled();
  });

  it('leaves the keys alone while a word of another script is being composed', async () => {
    opened();
    await waitFor(() => expect(found()).toHaveLength(10));
    const keys = { key: 'Enter', isComposing: true };
    fireEvent.keyDown(await field(), keys);
    expect(close).not.toHaveBeenCalled();
  });
});

describe('a name that is typed', () => {
  it.each([
    ['Users named “a&b”', '#users?search=a%26b'],
    ['People and roles of “a&b”', '#governance/roles?search=a%26b'],
    ['Decisions about “a&b”', '#audit/decisions?subject=a%26b'],
  ])('is looked for: %s', async (label, address) => {
    const { user } = opened();
    await user.type(await field(), '  a&b ');
    await user.click(await screen.findByText(label));
    expect(location.hash).toBe(address);
  });

  it('is looked for only where the surface has the page', async () => {
    const { user } = opened([tab('audit', 'Audit')], '/audit');
    await user.type(await field(), 'xyz');
    expect(found()).toEqual(['Decisions about “xyz”Search']);
  });

  it.each([
    ['a key', 'gwk_0123456789abcdef'],
    ['longer than any name', 'x'.repeat(201)],
    ['blank', '   '],
  ])('is not put into an address if it is %s', async (_, typed) => {
    opened();
    fireEvent.change(await field(), { target: { value: typed } });
    expect(found().filter((label) => label?.endsWith('Search'))).toEqual([]);
  });
});

describe('the link to the manual', () => {
  const TAB = { label: 'Policy', manual: 'operator/policy', manuals: { roles: 'operator/people' } };
  const link = () => screen.getByRole('link', { name: 'Manual: Policy, in a new tab' }).getAttribute('href');

  it.each([
    ['', 'operator/policy'],
    ['roles', 'operator/people'],
    ['unknown', 'operator/policy'],
    ['toString', 'operator/policy'],
    ['__proto__', 'operator/policy'],
  ])('of the part “%s” is its page at the gateway', async (part, page) => {
    given('GET /api/session', session('ada', 'https://gateway.example'));
    show(<ManualLink tab={TAB} part={part} />);
    await waitFor(() => expect(link()).toBe(`https://gateway.example/v/${page}`));
  });

  it('is a guess while the address of the gateway is not known', () => {
    show(<ManualLink tab={TAB} part="" />);
    expect(link()).toBe('http://localhost:6001/v/operator/policy');
  });
});
