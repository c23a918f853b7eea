import { describe, expect, it, onTestFinished } from 'vitest';
import { dialogOf, violations } from './browser.ts';
import { button, faults, open, page, stack, useDemandingConsole } from './demanding.ts';
import { asPair } from './furnished.ts';
import { holdBack, intercept } from './interception.ts';

useDemandingConsole();

// A person who works without a mouse loses neither the focus nor data that is shown once.
const focused = () => page.evaluate("document.activeElement?.getAttribute('aria-label')");
const isInDialog = () => page.evaluate("document.activeElement?.closest('[role=dialog]') !== null");

describe('the keyboard alone', () => {
  it('continues in the table when a row is removed', async () => {
    await asPair(stack)('POST', '/api/plans', { slug: 'a-gone', name: 'Gone', monthlyCap: 10 });
    await open('plans');
    await button('Delete: Delete plan Gone').focus();
    await page.keyboard.press('Enter');
    // No list is read again yet: the dialog closes and the row is gone when the plan is deleted.
    await holdBack(page, /\/api\/plans\?/);
    await Promise.all([
      page.getByText('Plan Gone deleted.').waitFor(),
      dialogOf(page).getByRole('button', { name: 'Delete', exact: true }).press('Enter'),
    ]);
    await dialogOf(page).waitFor({ state: 'detached' });
    await button('Delete: Delete plan Gone').waitFor({ state: 'detached' });
    await expect.poll(focused).toBe('Plans');
  });
  it('continues in the table also when its row is removed before every list of the page is reloaded', async () => {
    await asPair(stack)('POST', '/api/users', { username: 'a-leaver' });
    await open('users');
    await button('Access of a-leaver').focus();
    await page.keyboard.press('Enter');
    await button('Delete: Delete user a-leaver').click();
    const asking = page.getByRole('dialog', { name: 'Delete user a-leaver' });
    await holdBack(page, /\/api\/plans/);
    await asking.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
    await page.getByText('No account, role or project has this name.').waitFor();
    await asking.waitFor({ state: 'detached' }); // until then, it is the dialog that Escape would close
    await page.keyboard.press('Escape');
    await button('Access of a-leaver').waitFor({ state: 'detached' });
    await expect.poll(focused).toBe('Users');
  });
  it.each([
    ['users', 'Keys of zoe'],
    ['users', 'Change the roles of zoe'],
    ['users', 'Access of zoe'],
    ['audit/administration', 'Details: Action 1'],
  ])('comes back from a dialog to where it was: %s, %s', async (place, opener) => {
    await open(place);
    for (const _ of ['the first time', 'the second time']) {
      await button(opener).focus();
      await page.keyboard.press('Enter');
      await dialogOf(page).waitFor();
      await expect.poll(isInDialog).toBe(true);
      await page.keyboard.press('Escape');
      await dialogOf(page).waitFor({ state: 'detached' });
      await expect.poll(focused).toBe(opener);
    }
  });
  it('sees the link that skips the tabs, and scrolls a table that is wider than the screen', async () => {
    onTestFinished(() => page.setViewportSize({ width: 1280, height: 800 }));
    await page.setViewportSize({ width: 360, height: 740 });
    await open('caps');
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to the page' });
    expect(await page.evaluate('document.activeElement?.textContent')).toBe('Skip to the page');
    expect((await skip.boundingBox())?.x).toBeGreaterThanOrEqual(0);
    await page.keyboard.press('Enter');
    const table = page.getByRole('group', { name: 'Caps' });
    await table.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.evaluate('document.activeElement?.scrollLeft')).toBeGreaterThan(0);
  });
});

/** How far two colours are apart (WCAG 2.2, contrast ratio): 1 where they are the same, 21 between black and white. */
function contrast(...colours: readonly [string, string]): number {
  const [darker = 0, lighter = 0] = colours
    .map((colour) => {
      const [red = 0, green = 0, blue = 0] = [...colour.matchAll(/[\d.]+/g)].map(([part]) => {
        const share = Number(part) / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    })
    .toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

describe('where the keyboard is, and which tab is shown', () => {
  it.each(['light', 'dark'] as const)(
    'has the contrast to the page that WCAG requires (three to one): %s',
    async (scheme) => {
      await page.emulateMedia({ colorScheme: scheme });
      await open('plans');
      const drawn = (of: string, property: string) => page.evaluate<string>(`getComputedStyle(${of}).${property}`);
      const background = await drawn('document.body', 'backgroundColor');
      const ring = async () => contrast(await drawn('document.activeElement', 'outlineColor'), background);
      const shown = await drawn("document.querySelector('[role=tab][aria-selected=true]')", 'borderBottomColor');
      expect(contrast(shown, background)).toBeGreaterThanOrEqual(3);
      await page.keyboard.press('Tab');
      expect(await drawn('document.activeElement', 'outlineStyle')).toBe('solid');
      expect(await ring()).toBeGreaterThanOrEqual(3);
      await button('Create a plan').press('Enter');
      await dialogOf(page).getByLabel('Name').waitFor();
      await expect.poll(() => page.evaluate('document.activeElement?.tagName')).toBe('INPUT');
      const border = async () => contrast(await drawn('document.activeElement', 'borderTopColor'), background);
      await expect.poll(border).toBeGreaterThanOrEqual(3);
      await page.keyboard.press('Escape');
      await page.emulateMedia({ colorScheme: 'light' });
    },
  );
});

describe('a key that is shown once', () => {
  it('is not lost by Escape, nor is the dialog below what asks or shows', async () => {
    await open('users');
    await button('Keys of zoe').click();
    const keys = page.getByRole('dialog', { name: 'Keys of zoe' });
    await button('Rotate: Rotate the keys of zoe').click();
    const asking = page.getByRole('dialog', { name: 'Rotate the keys of zoe' });
    await asking.waitFor();
    await page.keyboard.press('Escape');
    await asking.waitFor({ state: 'detached' });
    expect(await keys.isVisible()).toBe(true);
    await button('Rotate: Rotate the keys of zoe').click();
    await asking.getByRole('button', { name: 'Rotate', exact: true }).click();
    const shown = page.getByRole('dialog', { name: 'Key of zoe' }).getByText(/^gwk_[0-9a-f]{48}$/);
    await shown.waitFor();
    await asking.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    // A dialog closed by Escape would be lost with the next action.
    await button('Copy').click();
    expect([await shown.isVisible(), await keys.isVisible()]).toEqual([true, true]);
    expect(await violations(page)).toEqual([]);
    await button('Done').click();
    await shown.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });
    await expect.poll(focused).toBe('Keys of zoe');
  });
  it.each([
    ['Create', 'Keys of zoe'],
    ['Rotate', 'Rotate the keys of zoe'],
  ])('is not lost by leaving the dialog while it is made: %s', async (how, name) => {
    await open('users');
    await button('Keys of zoe').click();
    const making = /\/api\/users\/[^/]+\/(keys|rotate-key)$/;
    if (how === 'Rotate') await button('Rotate: Rotate the keys of zoe').click();
    const dialog = page.getByRole('dialog', { name });
    if (how === 'Create') await dialog.getByLabel('Label of a further key').fill('ci');
    const letGo = await holdBack(page, making);
    const asked = page.waitForRequest(making);
    await dialog.getByRole('button', { name: how, exact: true }).click();
    await asked;
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await letGo();
    const key = page.getByText(/^gwk_[0-9a-f]{48}$/);
    await key.waitFor();
    expect(await key.count()).toBe(1);
    await button('Done').click();
  });
  it('is not lost by an Escape that comes before the page shows that it is made', async () => {
    await open('users');
    await button('Keys of zoe').click();
    await button('Rotate: Rotate the keys of zoe').click();
    await button('Rotate').waitFor();
    // In one turn, as where the machine is slow: nothing is drawn between the two.
    await page.evaluate(`{
      const rotate = [...document.querySelectorAll('[role=dialog] [type=submit]')].at(-1);
      rotate.click();
      rotate.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    }`);
    const key = page.getByText(/^gwk_[0-9a-f]{48}$/);
    await key.waitFor();
    expect(await key.count()).toBe(1);
    await button('Done').click();
  });
  it('returns the focus once it was closed: for a new account too', async () => {
    await open('users');
    await button('Create a user').focus();
    await page.keyboard.press('Enter');
    await dialogOf(page).getByLabel('Username').fill('a-newcomer');
    await page.keyboard.press('Enter');
    await page.getByText(/^gwk_[0-9a-f]{48}$/).waitFor();
    await button('Done').press('Enter');
    await dialogOf(page).waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('Create a user');
  });
  it('is not lost when the row of its account leaves the list meanwhile', async () => {
    await open('users?search=zoe');
    await button('Keys of zoe').click();
    await intercept(page, /\/api\/users\?/, (route) => route.fulfill({ json: { users: [], next: null } }));
    await dialogOf(page).getByLabel('Label of a further key').fill('cd');
    await button('Create').click();
    const key = page.getByText(/^gwk_[0-9a-f]{48}$/);
    await key.waitFor();
    await expect.poll(() => page.getByRole('table', { name: 'Users' }).count()).toBe(0);
    await button('Done').click();
  });
});

describe('a form that is refused', () => {
  it('shows the first field at fault below the head of the dialog, and its example as an example', async () => {
    onTestFinished(() => page.setViewportSize({ width: 1280, height: 800 }));
    await page.setViewportSize({ width: 1280, height: 420 });
    await open('endpoints/providers');
    await button('Connect an engine').click();
    const name = dialogOf(page).getByLabel('Name of the engine');
    await name.waitFor();
    // The field is behind the head of the dialog, where the browser takes it for visible.
    await page.evaluate(`{
      const dialog = document.querySelector('[role=dialog]');
      const field = dialog.querySelector('[data-path=name]');
      dialog.scrollTop += field.getBoundingClientRect().top - dialog.getBoundingClientRect().top - 5;
      const submit = dialog.querySelector('[type=submit]');
      submit.focus({ preventScroll: true });
      submit.click();
    }`);
    expect(await name.evaluate((field) => field.matches(':focus'))).toBe(true);
    const head = await dialogOf(page).locator('header, [role=presentation]').first().boundingBox();
    const label = await dialogOf(page).getByText('Name of the engine').boundingBox();
    expect(label?.y).toBeGreaterThanOrEqual((head?.y ?? 0) + (head?.height ?? 0));
    const example = (field: string) =>
      page.evaluate<string>(`getComputedStyle([...document.querySelectorAll('[role=dialog] input')]
        .find((input) => input.placeholder === '${field}'), '::placeholder').color`);
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    expect(await example('Research cluster')).toBe(await example('Another one'));
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'detached' });
  });
  it('leaves the keyboard at its button where no field is at fault', async () => {
    await open('users?search=zoe');
    await button('Change the roles of zoe').click();
    const grant = dialogOf(page).getByRole('button', { name: 'Grant', exact: true });
    await intercept(page, /\/api\/role-assignments$/, (route) =>
      route.fulfill({ status: 409, json: { error: 'Another role excludes this one.' } }),
    );
    await grant.press('Enter');
    await dialogOf(page).getByText('Another role excludes this one.').waitFor();
    await expect.poll(() => grant.evaluate((of) => of.matches(':focus'))).toBe(true);
  });
});

describe('a phone that is turned', () => {
  it('keeps the open dialog of a row, and gives the keyboard back to it', async () => {
    onTestFinished(() => page.setViewportSize({ width: 1280, height: 800 }));
    await page.setViewportSize({ width: 844, height: 390 });
    await open('audit/administration');
    await button('Details: Action 1').press('Enter');
    await dialogOf(page).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))');
    expect(await dialogOf(page).isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'detached' });
    await expect.poll(focused).toBe('Details: Action 1');
    await open('audit/administration');
    await page.getByRole('button', { name: 'Actions of 1', exact: true }).waitFor();
  });
});

describe('what a person confirmed', () => {
  it('closes the dialog when it is done, and its button is busy until the lists are reloaded', async () => {
    await open('users?search=zoe');
    await button('Access of zoe').click();
    const revoke = button('Revoke: Revoke zoe');
    await revoke.click();
    const reason = page.getByLabel('Reason, kept in the log');
    await reason.fill('left');
    const letGo = await holdBack(page, /\/api\/subject-revocations\?/);
    await page.keyboard.press('Enter');
    await reason.waitFor({ state: 'detached' });
    await expect.poll(focused).toBe('Revoke: Revoke zoe');
    expect(await revoke.getAttribute('aria-busy')).toBe('true');
    await letGo();
    await button('Lift: Lift the revocation of zoe').waitFor();
  });
});

describe('a button that is pressed twice', () => {
  /** The changes that are sent while it is pressed, of which none is answered before. */
  async function sentDuring(presses: () => Promise<void>): Promise<string[]> {
    const sent: string[] = [];
    const pressed = Promise.withResolvers<void>();
    await intercept(page, /\/api\/users\//, async (route) => {
      const request = route.request();
      if (request.method() !== 'GET') {
        sent.push(`${request.method()} ${new URL(request.url()).pathname}`);
        await pressed.promise;
      }
      await route.continue();
    });
    onTestFinished(() => pressed.resolve());
    await presses();
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))');
    pressed.resolve();
    return sent;
  }
  it('asks once: the key that is shown is the one in force', async () => {
    await asPair(stack)('POST', '/api/users', { username: 'twice' });
    await open('users?search=twice');
    await button('Keys of twice').click();
    await button('Rotate: Rotate the keys of twice').click();
    const sent = await sentDuring(() => button('Rotate').dblclick());
    await button('Done').waitFor();
    expect(sent).toEqual([expect.stringMatching(/^POST .*\/rotate-key$/)]);
    // The focused element was removed: the focus moves to the dialog below, and then to its position before both.
    await button('Done').click();
    await expect.poll(isInDialog).toBe(true);
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('Keys of twice');
  });
  it('keeps the keyboard where it is, and changes once', async () => {
    await open('users?search=twice');
    await button('Access of twice').click();
    await button('Disable').focus();
    const sent = await sentDuring(async () => {
      await page.keyboard.press('Space');
      await page.keyboard.press('Space');
    });
    await page.getByText('The account is disabled.').waitFor();
    expect(sent).toEqual([expect.stringMatching(/^PATCH/)]);
    await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('Enable');
  });
  it('keeps the keyboard also where a list that the dialog shows cannot be read again', async () => {
    await asPair(stack)('POST', '/api/users', { username: 'thrice' });
    await open('users?search=thrice');
    await button('Access of thrice').click();
    await button('Disable').focus();
    await intercept(page, /\/api\/(plans|subjects|subject-revocations)\?/, (route) =>
      route.fulfill({ status: 503, json: { error: 'The database gave no answer.' } }),
    );
    await page.keyboard.press('Space');
    await page.getByText('The account is disabled.').waitFor();
    await page.getByText('The database gave no answer.').first().waitFor();
    expect(await page.evaluate('document.activeElement?.textContent')).toBe('Enable');
  });
});

describe('a key on a page in the clear', () => {
  it('is copied although the browser hands such a page no clipboard', async () => {
    await open('users');
    await page.evaluate(`
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
      document.addEventListener('copy', () => { globalThis.copied = document.activeElement.value; });`);
    await button('Keys of zoe').click();
    await dialogOf(page).getByLabel('Label of a further key').fill('laptop');
    await button('Create').click();
    await button('Copy').click();
    await button('Copied').waitFor();
    expect(await page.evaluate('copied')).toMatch(/^gwk_[0-9a-f]{48}$/);
    expect(await page.getByText(String(await page.evaluate('copied'))).count()).toBe(1);
  });
});

it('asked nobody but the console and met no error', () => {
  expect(faults).toEqual([]);
});
