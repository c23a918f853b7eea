import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Shortcuts, useShortcuts } from './palette.tsx';
import type { Tab } from './tabs/tab.ts';
import { show } from './testing/show.tsx';
import { Layer } from './ui/layer.tsx';

const does = { palette: vi.fn(), help: vi.fn(), refresh: vi.fn(), goTo: vi.fn() };
const TABS = [
  { identifier: 'users', label: 'Users', key: 'u' },
  { identifier: 'governance', label: 'Policy', key: 'y' },
  { identifier: 'reports', label: 'Reports', key: 'r' },
] as unknown as readonly Tab[];

function Page({ isAsking = false }: { isAsking?: boolean }) {
  useShortcuts(TABS, does);
  return (
    <main>
      <input aria-label="Search" placeholder="Search users" />
      <textarea aria-label="Text" />
      <button type="button">Button</button>
      <Layer opened={isAsking} close={() => undefined} title="Sure?">
        <p>Sure?</p>
      </Layer>
      <Shortcuts opened={false} close={() => undefined} tabs={TABS} hasOverview />
    </main>
  );
}

/** What was done, in no order, since the last call. */
const done = () =>
  Object.entries(does).flatMap(([name, called]) =>
    called.mock.calls.splice(0).map((words: readonly unknown[]) => [name, ...words].join(' ').trim()),
  );

// Two keys are a pair, however long a loaded machine takes between them.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  done();
});
afterEach(() => void vi.useRealTimers());

describe('a key anywhere on the page', () => {
  it.each([
    ['{Control>}k{/Control}', ['palette']],
    ['{Meta>}K{/Meta}', ['palette']],
    ['{Control>}{Shift>}k{/Shift}{/Control}', []],
    ['{Alt>}k{/Alt}', []],
    ['?', ['help']],
    ['r', ['refresh']],
    ['gu', ['goTo users']],
    ['gy', ['goTo governance']],
    ['go', ['goTo overview']],
    ['gr', ['goTo reports']],
    ['u', []],
    ['gxu', []],
    ['ggu', []],
    ['gur', ['refresh', 'goTo users']],
  ])('%s does %j', async (keys, what) => {
    const { user } = show(<Page />);
    await user.keyboard(keys);
    expect(done()).toEqual(what);
  });

  it('goes to the search field of the page, without typing the key into it', async () => {
    const { user } = show(<Page />);
    await user.keyboard('/');
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Search' });
    expect(document.activeElement).toBe(field);
    await user.keyboard('r?gu');
    expect([field.value, done()]).toEqual(['r?gu', []]);
  });

  it('is text in a field, except with Ctrl', async () => {
    const { user } = show(<Page />);
    await user.type(screen.getByRole('textbox', { name: 'Text' }), 'rgu?/{Control>}k{/Control}');
    expect(done()).toEqual(['palette']);
  });

  it('does nothing below a dialog, or while a word is composed', async () => {
    const { user, again } = show(<Page isAsking />);
    await user.keyboard('r?gu{Control>}k{/Control}');
    expect(done()).toEqual([]);
    again(<Page />);
    fireEvent.keyDown(document.body, { key: 'r', isComposing: true });
    expect(done()).toEqual([]);
  });

  it.each([
    ['right after the page was opened', [['u', 100]], []],
    [
      'right after the page was opened, as a pair',
      [
        ['g', 100],
        ['u', 200],
      ],
      ['goTo users'],
    ],
    [
      'shortly after the first',
      [
        ['g', 10_000],
        ['u', 11_499],
      ],
      ['goTo users'],
    ],
    [
      'too long after the first',
      [
        ['g', 10_000],
        ['u', 11_500],
      ],
      [],
    ],
  ] as const)('pressed %s', (_, keys, what) => {
    show(<Page />);
    for (const [key, value] of keys) {
      const event = new KeyboardEvent('keydown', { key, bubbles: true });
      fireEvent(document.body, Object.defineProperty(event, 'timeStamp', { value }));
    }
    expect(done()).toEqual(what);
  });
});

describe('the list of shortcuts', () => {
  const list = (hasOverview = true) => (
    <Shortcuts opened close={() => undefined} tabs={TABS} hasOverview={hasOverview} />
  );
  const rows = () => screen.getAllByRole('row').map(({ textContent }) => textContent);

  it('names every key, with the tabs of the surface', async () => {
    const { again } = show(list());
    await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
    expect(rows()).toEqual([
      'CtrlKFind a page, an action or a name',
      '?Show this list',
      '/Go to the search field of the page',
      'rRefresh what is shown',
      'goGo to Overview',
      'guGo to Users',
      'gyGo to Policy',
      'grGo to Reports',
    ]);
    again(list(false));
    expect(rows()).not.toContain('goGo to Overview');
  });

  it('turns single keys off, and remembers it', async () => {
    const { user, unmount } = show(list());
    await user.click(await screen.findByRole('switch', { name: /^Single keys/ }));
    expect(rows()).toEqual(['CtrlKFind a page, an action or a name']);
    unmount();
    show(<Page />);
    await user.keyboard('r?gu{Control>}k{/Control}');
    expect(done()).toEqual(['palette']);
  });
});
