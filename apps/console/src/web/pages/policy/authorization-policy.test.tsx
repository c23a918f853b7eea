import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { changes, given, held, refused, unreachable } from '../../testing/api.ts';
import { fill, show } from '../../testing/show.tsx';
import { AuthorizationPolicy } from './authorization-policy.tsx';
import type { PolicyPreview } from './preview.tsx';

// The editor that colours needs a real browser: `tests/browser` has one.
vi.mock('./coloured-editor.tsx', async () => ({ ColouredEditor: (await import('./text-editor.tsx')).TextEditor }));

const CEDAR = 'forbid (principal, action, resource) when { false };';
const revision = (number: number, cedar = CEDAR, author = 'grace') => ({
  policy: { revision: number, cedar, author, installedAt: '2026-05-01T08:00:00.000Z' },
});
const preview = (but: Partial<PolicyPreview> = {}): PolicyPreview => ({
  faults: [],
  warnings: [],
  lockouts: [],
  impact: null,
  ...but,
});
const IN_FORCE = 'GET /api/policies/in-force';
const CHECK = 'POST /api/policies/check';
const INSTALL = 'POST /api/policies';

beforeEach(() => {
  given(IN_FORCE, revision(3));
  given(CHECK, preview());
});

const editor = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Cedar policy set' });
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const sent = () => changes().filter(([request]) => request !== CHECK);

/** The page, with a text that somebody wrote. A draft outlives its page: each test ends with none. */
async function written(text: string) {
  const { user } = show(<AuthorizationPolicy />);
  await fill(user, await editor(), text);
  return user;
}
/** Installs or discards the draft, for the next test. */
async function discard(user: Awaited<ReturnType<typeof written>>) {
  given(INSTALL, { revision: 99 });
  given(CHECK, preview());
  await fill(user, await editor(), 'discarded');
  await user.click(button('Install'));
  await waitFor(() => expect(sent().at(-1)).toEqual([INSTALL, { cedar: 'discarded' }]));
  await waitFor(async () => expect((await editor()).value).not.toBe('discarded'));
}

describe('the authorization policy', () => {
  it('shows the text in force, and its revision', async () => {
    show(<AuthorizationPolicy />);
    expect(screen.getByRole('status', { name: 'Authorization policy: loading' })).toBeDefined();
    expect((await editor()).value).toBe(CEDAR);
    expect(screen.getByText('revision 3 in force')).toBeDefined();
  });

  it.each([
    [{ policy: null }, 'none installed'],
    [revision(4, ''), 'revision 4: empty'],
  ])('says that there is none, and has nothing to lift: %#', async (answer, says) => {
    given(IN_FORCE, answer);
    show(<AuthorizationPolicy />);
    expect(await screen.findByText(says)).toBeDefined();
    expect(screen.queryByRole('button', { name: /^Lift/ })).toBeNull();
    expect(button('Install').disabled).toBe(true);
  });

  it('that cannot be read is not shown as empty, and cannot be replaced', async () => {
    given(IN_FORCE, refused(503, 'Down.', { down: 'database' }));
    show(<AuthorizationPolicy />);
    expect(await screen.findByRole('alert')).toBeDefined();
    expect(screen.queryByRole('textbox')).toBeNull();
    expect([button('Check').disabled, button('Install').disabled]).toEqual([true, true]);
  });

  it('has the keyboard in its editor where the address asks to write one', async () => {
    show(<AuthorizationPolicy />, '#governance?open=policy');
    const area = await editor();
    await waitFor(() => expect(document.activeElement).toBe(area));
    expect(location.hash).toBe('#governance');
  });
});

describe('a text that is written', () => {
  it('is checked shortly after the last key, with what it would change', async () => {
    const user = await written(`${CEDAR}\n// more`);
    expect(await screen.findByText('The text can be installed. This is what would change:')).toBeDefined();
    const difference = screen.getByRole('region', { name: 'Difference to the revision in force' });
    expect(difference.textContent).toBe(`- ${CEDAR}\n+ ${CEDAR}\n+ // more\n`);
    expect(changes()).toEqual([[CHECK, { cedar: `${CEDAR}\n// more` }]]);
    await discard(user);
  });

  it('with faults marks each line, moves the cursor there, and cannot be installed', async () => {
    const faults = [
      { line: 2, column: 3, message: 'unexpected token' },
      { line: 1, column: 1, message: 'permit is not allowed' },
    ];
    given(CHECK, preview({ faults }));
    const user = await written('ab\ncdef\ng');
    await user.click(await screen.findByRole('button', { name: 'Line 2, column 3: unexpected token' }));
    const area = await editor();
    expect([area.selectionStart, area.selectionEnd, document.activeElement]).toEqual([5, 6, area]);
    expect(area.getAttribute('aria-invalid')).toBe('true');
    expect(button('Install').disabled).toBe(true);
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(sent()).toEqual([]);
    await discard(user);
  });

  it('is checked before it is installed, and installed once', async () => {
    given(INSTALL, ({ body }) => {
      given(IN_FORCE, revision(4, (body as { cedar: string }).cedar, 'ada'));
      return { revision: 4 };
    });
    const user = await written('forbid one;');
    await user.dblClick(button('Install'));
    expect(await screen.findByText('Installed. It takes effect with the next call.')).toBeDefined();
    expect(changes()[0]).toEqual([CHECK, { cedar: 'forbid one;' }]);
    expect(sent()).toEqual([[INSTALL, { cedar: 'forbid one;' }]]);
    expect(await screen.findByText('revision 4 in force')).toBeDefined();
    expect(screen.queryByText(/while you were writing/)).toBeNull();
  });

  it('is installed by Ctrl and Enter in the editor', async () => {
    given(INSTALL, { revision: 4 });
    const user = await written('forbid two;');
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(await screen.findByText('Installed. It takes effect with the next call.')).toBeDefined();
  });

  it('is kept where its installation is refused or cannot be sent', async () => {
    given(INSTALL, refused(403, 'You do not have the permission politique:administrer.'));
    const user = await written('forbid three;');
    await user.click(button('Install'));
    expect((await screen.findByRole('alert')).textContent).toContain('“Install authorization policies”');
    given(INSTALL, unreachable);
    await user.click(button('Install'));
    expect(await screen.findByText(/^The console cannot be reached\./)).toBeDefined();
    expect((await editor()).value).toBe('forbid three;');
    await discard(user);
  });

  it('is kept while another administrator installs one, who is named; theirs can be taken instead', async () => {
    const user = await written('forbid mine;');
    given(IN_FORCE, revision(4, 'forbid theirs;', 'alan'));
    given(CHECK, refused(503, 'Down.'));
    await user.click(button('Check'));
    expect(
      await screen.findByText('alan installed revision 4 while you were writing. Your text replaces it.'),
    ).toBeDefined();
    expect((await editor()).value).toBe('forbid mine;');
    await user.click(button('Show revision 4 instead'));
    expect((await editor()).value).toBe('forbid theirs;');
  });

  it('goes on while it is installed: what is typed meanwhile is not lost', async () => {
    const letGo = held(INSTALL, { revision: 4 });
    const user = await written('forbid four;');
    await user.click(button('Install'));
    await waitFor(() => expect(sent()).toHaveLength(1));
    given(IN_FORCE, revision(4, 'forbid four;', 'ada'));
    await fill(user, await editor(), 'forbid five;');
    letGo();
    expect(await screen.findByText('revision 4 in force')).toBeDefined();
    expect((await editor()).value).toBe('forbid five;');
    expect(screen.queryByText(/while you were writing/)).toBeNull();
    await discard(user);
  });

  it('gets a template added, or is begun by one', async () => {
    const { user } = show(<AuthorizationPolicy />);
    await editor();
    await user.click(button('Insert a template'));
    await user.click(await screen.findByRole('menuitem', { name: /^A network/ }));
    const { value } = await editor();
    expect(value.startsWith(`${CEDAR}\n\n// build@example.com calls from`)).toBe(true);
    await discard(user);
  });
});

describe('a policy that locks people out', () => {
  const lockouts = ['No administrator could install a policy any more.'];

  it('is installed only after a word was typed', async () => {
    given(CHECK, preview({ lockouts }));
    given(INSTALL, { revision: 4 });
    const user = await written('forbid all;');
    await user.click(button('Install'));
    const dialog = await screen.findByRole('dialog', { name: 'Lock people out?' });
    expect(within(dialog).getByText('No administrator could install a policy any more.')).toBeDefined();
    expect(sent()).toEqual([]);
    await user.type(within(dialog).getByRole('textbox'), 'lockout{Enter}');
    expect(await screen.findByText('Installed. It takes effect with the next call.')).toBeDefined();
    expect(sent()).toEqual([[INSTALL, { cedar: 'forbid all;' }]]);
  });
});

describe('a policy that is lifted', () => {
  it('is so after a question', async () => {
    given('POST /api/policies/lift', () => {
      given(IN_FORCE, revision(4, ''));
      return revision(4, '').policy;
    });
    const { user } = show(<AuthorizationPolicy />);
    await user.click(await screen.findByRole('button', { name: 'Lift: Lift every restriction' }));
    await user.click(await screen.findByRole('button', { name: 'Lift' }));
    expect(await screen.findByText('Lifted. It takes effect with the next call.')).toBeDefined();
    expect(await screen.findByText('revision 4: empty')).toBeDefined();
    expect((await editor()).value).toBe('');
  });
});

describe('an administrator who may not read the policy in force', () => {
  beforeEach(() => given(IN_FORCE, refused(403, 'You do not have the permission politique:lire.')));

  it('see what they installed themselves, and put it into the editor again', async () => {
    const at = '2026-05-01T08:00:00.000Z';
    given('GET /api/policies/own', {
      policies: [
        { revision: 7, at, names: ['nights'] },
        { revision: 5, at, names: [] },
      ],
    });
    given('GET /api/policies/own/7', refused(503, 'Down.'));
    const { user } = show(<AuthorizationPolicy />);
    const restore = await screen.findByRole('button', { name: 'Put revision 7 into the editor' });
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Revision 7, 1 May 2026, 08:00:00: nightsPut into the editor',
      'Revision 5, 1 May 2026, 08:00:00: no rule',
    ]);
    await user.click(restore);
    expect((await screen.findByRole('alert')).textContent).toBe('Down.');
    given('GET /api/policies/own/7', { revision: 7, at, names: ['nights'], cedar: 'forbid nights;' });
    await user.click(restore);
    await waitFor(async () => expect((await editor()).value).toBe('forbid nights;'));
    expect(document.activeElement).toBe(await editor());
    given(INSTALL, { revision: 8, added: 1, removed: 0 });
    await user.click(button('Install'));
    await screen.findByText(/^Installed: 1 rule added/);
  });

  it('can write one, and confirms that it replaces one that they cannot see', async () => {
    given(INSTALL, { revision: 4, added: 1, removed: 2 });
    const user = await written('forbid blind;');
    await user.click(screen.getByRole('radio', { name: 'replaces all of it' }));
    expect(screen.getByRole('note').textContent).toContain("Reading the policy in force is the auditor's right.");
    expect(await screen.findByText('The text can be installed.')).toBeDefined();
    await user.click(button('Install'));
    const dialog = await screen.findByRole('dialog', { name: 'Replace a policy you cannot see?' });
    await user.type(within(dialog).getByRole('textbox'), 'replace{Enter}');
    expect(
      await screen.findByText('Installed: 1 rule added, 2 rules removed. It takes effect with the next call.'),
    ).toBeDefined();
    expect(changes().at(-1)).toEqual([INSTALL, { cedar: 'forbid blind;' }]);
  });

  it('adds to it where nothing else is chosen', async () => {
    given(INSTALL, { revision: 4, added: 1, removed: 0 });
    const user = await written('forbid blind;');
    expect(await screen.findByText('The text can be installed.')).toBeDefined();
    await user.click(button('Install'));
    expect(
      await screen.findByText('Installed: 1 rule added, 0 rules removed. It takes effect with the next call.'),
    ).toBeDefined();
    expect(changes().at(-1)).toEqual([INSTALL, { cedar: 'forbid blind;', mode: 'append' }]);
  });

  it('can lift what is in force, after a word was typed', async () => {
    given('POST /api/policies/lift', revision(4, '').policy);
    const { user } = show(<AuthorizationPolicy />);
    await user.click(await screen.findByRole('button', { name: 'Remove whatever is in force …' }));
    const dialog = await screen.findByRole('dialog', { name: 'Lift restrictions you cannot see' });
    await user.type(within(dialog).getByRole('textbox'), 'lift{Enter}');
    expect(await screen.findByText('Lifted. It takes effect with the next call.')).toBeDefined();
    expect(changes()).toEqual([['POST /api/policies/lift']]);
  });
});
