import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ready, startStack } from '../support/stack.ts';
import { dialogOf, gone, openBrowser, openPage, signedIn, violations, visit, widerThanScreen } from './browser.ts';
import { asPair, ownerOf } from './furnished.ts';

// What people enter is as long as it may be, there is a thousand of it, and somebody else changes it at the same time.
const LONG = 'W'.repeat(255);
const MANY = 1200;

let stack: Ready & { stop: () => Promise<number | null> };
let browser: Browser;
let page: Page;
let faults: string[];
beforeAll(async () => {
  stack = await startStack('--bare');
  const ask = asPair(stack);
  await ask('POST', '/api/users', { username: LONG, displayName: 'D'.repeat(200) });
  await ask('POST', '/api/organization', { slug: 'acme', name: 'O'.repeat(200) });
  await ask('POST', `/api/audit/agent-sessions/${'s'.repeat(256)}/revocation`, { reason: 'r'.repeat(300) });
  await ask('POST', '/api/subject-revocations', { subject: LONG, reason: 'r'.repeat(300) });
  const project = { role: 'administrateur-de-projet', project: 'p'.repeat(64) };
  await ask('POST', '/api/role-assignments', { subject: LONG, ...project });
  const sql = ownerOf(stack);
  await sql`
    insert into plans (id, slug, name, monthly_cap)
    select gen_random_uuid(), 'plan-' || to_char(n, 'FM0000'), 'Plan number ' || n, n from generate_series(1, ${MANY}) n`;
  await sql`
    insert into accounts (id, username, origin, enabled, plan_id)
    select gen_random_uuid(), 'zoe', 'local', true, id from plans where slug = ${`plan-${MANY}`}`;
  await sql.end();
  browser = await openBrowser();
  const { user = '', password = '' } = stack.consoleSignIn ?? {};
  const context = await signedIn(browser, { username: user, password });
  ({ page, faults } = await openPage(context, [new URL(stack.console).origin]));
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const open = (place: string) => visit(page, `${stack.console}/`, place);
const button = (name: string) => page.getByRole('button', { name, exact: true });
const focused = () => page.evaluate("document.activeElement?.getAttribute('aria-label')");
const rowsOf = (label: string) => page.getByRole('table', { name: label }).locator('tbody tr');
const isOnScreen = async (name: string) => {
  const box = await button(name).first().boundingBox();
  return box !== null && box.x >= 0 && box.x + box.width <= (page.viewportSize()?.width ?? 0);
};

describe('names as long as they may be', () => {
  it.each(['users', 'caps', 'governance', 'audit/administration', 'audit/agent-sessions', 'audit/revoked-subjects'])(
    'leave the page whole: %s',
    async (place) => {
      await open(place);
      expect([...(await violations(page)), ...(await widerThanScreen(page))]).toEqual([]);
      await page.setViewportSize({ width: 360, height: 740 });
      expect(await widerThanScreen(page)).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 800 });
    },
  );
  it('push no button of their row off the screen', async () => {
    await open('users');
    expect(await isOnScreen(`Delete: Delete user ${LONG}`)).toBe(true);
    await open('audit/revoked-subjects');
    expect(await isOnScreen(`Lift: Lift the revocation of ${LONG}`)).toBe(true);
  });
  it.each([`Keys of ${LONG}`, `Change the roles of ${LONG}`, `Delete: Delete user ${LONG}`])(
    'leave the button that closes a dialog where it can be reached: %s',
    async (opener) => {
      await open('users');
      await button(opener).click();
      await dialogOf(page).waitFor();
      expect(await isOnScreen('Close')).toBe(true);
      await page.setViewportSize({ width: 360, height: 740 });
      expect(await isOnScreen('Close')).toBe(true);
      await button('Close').first().click();
      await dialogOf(page).waitFor({ state: 'detached' });
      await page.setViewportSize({ width: 1280, height: 800 });
    },
  );
});

describe('a choice among more than a page of a list', () => {
  it('shows the one that was made, and finds another by typing', async () => {
    await open('users');
    const plan = page.getByRole('combobox', { name: 'Plan of zoe' });
    await expect.poll(() => plan.inputValue()).toBe(`Plan number ${MANY}`);
    await plan.click();
    await plan.fill('number 1111');
    // What is said leaves again after three seconds: it is waited for from before it comes.
    await Promise.all([
      page.getByText('Plan of zoe changed.').waitFor(),
      page.getByRole('option', { name: 'Plan number 1111' }).click(),
    ]);
    await expect.poll(() => plan.inputValue()).toBe('Plan number 1111');
    expect(await page.getByRole('option').count()).toBeLessThanOrEqual(100);
  });
});

describe('a page that is loaded again', () => {
  it('shows the part of the audit it showed', async () => {
    await open('audit');
    await page.getByRole('radiogroup', { name: 'What to read' }).getByText('Revoked subjects', { exact: true }).click();
    await page.getByRole('heading', { name: 'Revoked subjects' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Revoked subjects' }).waitFor();
    expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Audit');
  });
});

describe('a form that is refused', () => {
  it('keeps what was typed, marks each field with its sentence, and says so once', async () => {
    await open('endpoints');
    await button('Declare a provider').click();
    const dialog = dialogOf(page);
    const typed = { Name: 'Engine', Slug: 'a b', 'Base URL': 'ftp://engine', 'Key variable': 'DATABASE_URL' };
    for (const [label, text] of Object.entries(typed)) await dialog.getByLabel(label).first().fill(text);
    await page.keyboard.press('Enter');
    await expect.poll(() => dialog.getByRole('alert').textContent()).toBe('3 fields are marked.');
    for (const [label, text] of Object.entries(typed)) {
      const field = dialog.getByLabel(label).first();
      expect(await field.inputValue()).toBe(text);
      await expect.poll(() => field.getAttribute('aria-invalid')).toBe(label === 'Name' ? null : 'true');
    }
    expect(await violations(page)).toEqual([]);
  });
});

describe('a word that is refused', () => {
  it.each([
    ['users', 'Keys of zoe', 'Label of a further key', 'Create'],
    ['audit/revoked-subjects', `Lift: Lift the revocation of ${LONG}`, 'Reason, kept in the log', 'Lift'],
  ])('is marked where it was typed: %s', async (place, opener, label, submit) => {
    await open(place);
    await button(opener).click();
    const field = dialogOf(page).getByLabel(label);
    await field.fill('ends with a space ');
    await dialogOf(page).getByRole('button', { name: submit, exact: true }).click();
    await dialogOf(page).getByText('must not begin or end with a space').waitFor();
    expect([await field.inputValue(), await field.getAttribute('aria-invalid')]).toEqual([
      'ends with a space ',
      'true',
    ]);
  });
});

describe('a plan that two change at once', () => {
  it('keeps what the other one changed, and the keyboard its place', async () => {
    const ask = asPair(stack);
    const { id } = await ask('POST', '/api/plans', { slug: 'a-shared', name: 'Shared', monthlyCap: 10 });
    await open('plans');
    await button('Edit plan Shared').focus();
    await page.keyboard.press('Enter');
    await dialogOf(page).waitFor();
    await ask('PATCH', `/api/plans/${id}`, { monthlyCap: 3 });
    await dialogOf(page).getByLabel('Name').fill('Renamed');
    await Promise.all([page.getByText('Plan Renamed saved.').waitFor(), page.keyboard.press('Enter')]);
    await page.getByRole('row', { name: 'Renamed' }).getByText('€3.00').waitFor();
    await button('Edit plan Renamed').focus();
    await page.keyboard.press('Enter');
    await dialogOf(page).waitFor();
    expect(await dialogOf(page).getByLabel('Monthly cap').inputValue()).toBe('3 €');
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'detached' });
    await expect
      .poll(() => page.evaluate("document.activeElement?.getAttribute('aria-label')"))
      .toBe('Edit plan Renamed');
  });
});

describe('the keyboard alone', () => {
  it('goes on in the table where a row is gone', async () => {
    await asPair(stack)('POST', '/api/plans', { slug: 'a-gone', name: 'Gone', monthlyCap: 10 });
    await open('plans');
    await button('Delete: Delete plan Gone').focus();
    await page.keyboard.press('Enter');
    await Promise.all([
      page.getByText('Plan Gone deleted.').waitFor(),
      dialogOf(page).getByRole('button', { name: 'Delete', exact: true }).press('Enter'),
    ]);
    await button('Delete: Delete plan Gone').waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate("document.activeElement?.getAttribute('aria-label')")).toBe('Plans');
  });
  it('goes on in the table also where its row is gone before every list of the page is read again', async () => {
    await asPair(stack)('POST', '/api/users', { username: 'a-leaver' });
    await open('users');
    await button('Delete: Delete user a-leaver').focus();
    await page.keyboard.press('Enter');
    await dialogOf(page).waitFor();
    const held = Promise.withResolvers<void>();
    const plans = /\/api\/plans/;
    await page.route(plans, async (route) => {
      await held.promise;
      await route.continue().catch(gone);
    });
    await dialogOf(page).getByRole('button', { name: 'Delete', exact: true }).press('Enter');
    await button('Delete: Delete user a-leaver').waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate("document.activeElement?.getAttribute('aria-label')")).toBe('Users');
    held.resolve();
    await page.unroute(plans);
  });
  it.each([
    ['users', 'Keys of zoe'],
    ['users', 'Change the roles of zoe'],
    ['users', 'Delete: Delete user zoe'],
    ['audit/administration', 'Details: Action 1'],
  ])('comes back from a dialog to where it was: %s, %s', async (place, opener) => {
    await open(place);
    for (const _ of ['the first time', 'the second time']) {
      await button(opener).focus();
      await page.keyboard.press('Enter');
      await dialogOf(page).waitFor();
      await expect.poll(() => page.evaluate("document.activeElement?.closest('[role=dialog]') !== null")).toBe(true);
      await page.keyboard.press('Escape');
      await dialogOf(page).waitFor({ state: 'detached' });
      await expect.poll(() => page.evaluate("document.activeElement?.getAttribute('aria-label')")).toBe(opener);
    }
  });
  it('sees the link that skips the tabs, and scrolls a table that is wider than the screen', async () => {
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
    await page.setViewportSize({ width: 1280, height: 800 });
  });
});

describe('a policy that is being written', () => {
  it('is not lost when another administrator installs one meanwhile', async () => {
    await open('governance');
    const text = page.getByRole('textbox', { name: /^Policy document/ });
    await text.fill('{"budget": 7}');
    await asPair(stack)('POST', '/api/organization/policy', { document: { tools: { exclude: ['shell'] } } });
    await button('Install the next revision').click();
    await page.getByText('must not hold "budget"').first().waitFor();
    await page.getByText('shared-pair installed revision 1 while you were writing.').waitFor();
    expect(await text.inputValue()).toBe('{"budget": 7}');
    expect(await violations(page)).toEqual([]);
    await button('Show revision 1 instead').click();
    expect(JSON.parse(await text.inputValue())).toEqual({ tools: { exclude: ['shell'] } });
    await text.fill('{}');
    await button('Install the next revision').click();
    await page.getByText('revision 2, by shared-pair').waitFor();
    expect(await page.getByText('while you were writing').count()).toBe(0);
  });
  it('goes on while one is installed, and takes the new revision for one of its own', async () => {
    await open('governance');
    const text = page.getByRole('textbox', { name: /^Policy document/ });
    await page.getByText('revision 2, by shared-pair').waitFor();
    // The page is read anew after an installation; one of its lists is held back, so that the installation lasts.
    const held = Promise.withResolvers<void>();
    const attempts = /\/api\/audit\/organization-policy/;
    await page.route(attempts, async (route) => {
      await held.promise;
      await route.continue().catch(gone);
    });
    await text.fill('{"tools": {}}');
    await button('Install the next revision').click();
    await page.getByText('revision 3, by shared-pair').waitFor();
    expect(await page.getByText('while you were writing').count()).toBe(0);
    await text.fill('{"tools": {"exclude": ["shell"]}}');
    held.resolve();
    await expect.poll(() => button('Install the next revision').isEnabled()).toBe(true);
    await page.unroute(attempts);
    expect(await text.inputValue()).toBe('{"tools": {"exclude": ["shell"]}}');
    expect(await page.getByText('while you were writing').count()).toBe(0);
  });
});

describe('an authorization policy that is being written', () => {
  const NEVER = 'forbid (principal, action, resource) when { false };\n';
  it('is not lost when another administrator installs one meanwhile, who is named before it takes the place of theirs', async () => {
    await open('governance');
    const text = page.getByRole('textbox', { name: 'Cedar policy set' });
    await text.fill(NEVER);
    await asPair(stack)('POST', '/api/policies', { cedar: `// of another administrator\n${NEVER}` });
    await button('Check').click();
    await page.getByText('shared-pair installed revision 1 while you were writing.').waitFor();
    await page.getByText('- // of another administrator').waitFor();
    expect(await text.inputValue()).toBe(NEVER);
    expect(await violations(page)).toEqual([]);
    await button('Show revision 1 instead').click();
    await expect.poll(() => text.inputValue()).toContain('of another administrator');
    await text.fill(NEVER);
    await button('Check').click();
    await button('Install').click();
    await page.getByText('revision 2 in force').waitFor();
    expect(await page.getByText('while you were writing').count()).toBe(0);
  });
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
    // Whatever an Escape closes would be gone once the next thing was done.
    await button('Copy').click();
    expect([await shown.isVisible(), await keys.isVisible()]).toEqual([true, true]);
    expect(await violations(page)).toEqual([]);
    await button('I have kept it').click();
    await shown.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate("document.activeElement?.getAttribute('aria-label')")).toBe('Keys of zoe');
  });
  it.each([
    ['Create', 'Keys of zoe'],
    ['Rotate', 'Rotate the keys of zoe'],
  ])('is not lost by leaving the dialog while it is made: %s', async (how, name) => {
    await open('users');
    await button('Keys of zoe').click();
    const held = Promise.withResolvers<void>();
    const making = /\/api\/users\/[^/]+\/(keys|rotate-key)$/;
    await page.route(making, async (route) => {
      if (route.request().method() === 'POST') await held.promise;
      await route.continue().catch(gone);
    });
    if (how === 'Rotate') await button('Rotate: Rotate the keys of zoe').click();
    const dialog = page.getByRole('dialog', { name });
    if (how === 'Create') await dialog.getByLabel('Label of a further key').fill('ci');
    const asked = page.waitForRequest(making);
    await dialog.getByRole('button', { name: how, exact: true }).click();
    await asked;
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    held.resolve();
    const key = page.getByText(/^gwk_[0-9a-f]{48}$/);
    await key.waitFor();
    expect(await key.count()).toBe(1);
    await page.unroute(making);
    await button('I have kept it').click();
  });
  it('is not lost when the row of its account leaves the list meanwhile', async () => {
    await open('users?search=zoe');
    await button('Keys of zoe').click();
    await page.route(/\/api\/users\?/, (route) => route.fulfill({ json: { users: [], next: null } }).catch(gone));
    await dialogOf(page).getByLabel('Label of a further key').fill('cd');
    await button('Create').click();
    const key = page.getByText(/^gwk_[0-9a-f]{48}$/);
    await key.waitFor();
    await expect.poll(() => page.getByRole('table', { name: 'Users' }).count()).toBe(0);
    await page.unroute(/\/api\/users\?/);
    await button('I have kept it').click();
  });
});

describe('a button that is pressed twice', () => {
  /** The changes that are sent while it is pressed, of which none is answered before. */
  async function sentDuring(presses: () => Promise<void>): Promise<string[]> {
    const sent: string[] = [];
    const pressed = Promise.withResolvers<void>();
    await page.route('**/api/users/**', async (route) => {
      const request = route.request();
      if (request.method() !== 'GET') {
        sent.push(`${request.method()} ${new URL(request.url()).pathname}`);
        await pressed.promise;
      }
      await route.continue().catch(gone);
    });
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
    await button('I have kept it').waitFor();
    await page.unroute('**/api/users/**');
    expect(sent).toEqual([expect.stringMatching(/^POST .*\/rotate-key$/)]);
    // What had the keyboard is gone: it goes on in the dialog below, and then where it was before both.
    await button('I have kept it').click();
    await expect.poll(() => page.evaluate("document.activeElement?.closest('[role=dialog]') !== null")).toBe(true);
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('Keys of twice');
  });
  it('keeps the keyboard where it is, and changes once', async () => {
    await open('users?search=twice');
    const enabled = page.getByRole('switch', { name: 'twice is enabled' });
    await enabled.focus();
    const sent = await sentDuring(async () => {
      await page.keyboard.press('Space');
      await page.keyboard.press('Space');
    });
    await expect.poll(() => enabled.isChecked()).toBe(false);
    await page.unroute('**/api/users/**');
    expect(sent).toEqual([expect.stringMatching(/^PATCH/)]);
    expect(await focused()).toBe('twice is enabled');
  });
});

describe('a page that is read again', () => {
  it('shows what others did since, on a press of a button', async () => {
    await open('plans?page=1');
    await asPair(stack)('POST', '/api/plans', { slug: '0-latest', name: 'Latest of all', monthlyCap: 1 });
    expect(await page.getByText('Latest of all').count()).toBe(0);
    await button('Read again what is shown').focus();
    await page.keyboard.press('Enter');
    await page.getByText('Latest of all').waitFor();
    expect(await page.evaluate("document.activeElement?.getAttribute('aria-label')")).toBe('Read again what is shown');
  });
});

describe('a browser that is offline', () => {
  it('says so at once, shows what was read, and sends no change later that nobody waits for any more', async () => {
    await open('plans');
    await page.context().setOffline(true);
    await button('Read again what is shown').click();
    await page.getByRole('alert').getByText('The console cannot be reached.').waitFor();
    await button('Create a plan').click();
    await dialogOf(page).getByLabel('Name').fill('Never made');
    await dialogOf(page).getByLabel('Slug').fill('never-made');
    await dialogOf(page).getByRole('button', { name: 'Create', exact: true }).click();
    await dialogOf(page).getByText('The console cannot be reached.').waitFor();
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'detached' });
    await page.context().setOffline(false);
    // Back online, what is shown is read again by itself.
    await page.getByRole('alert').waitFor({ state: 'detached' });
    expect(await page.getByText('Never made').count()).toBe(0);
  });
  it('shows a page of this machine, which needs no network', async () => {
    const other = await page.context().newPage();
    await other.addInitScript("Object.defineProperty(navigator, 'onLine', { get: () => false })");
    await other.goto(`${stack.console}/#plans`);
    await other.evaluate("dispatchEvent(new Event('offline'))");
    await other.getByRole('tab', { name: 'Caps' }).click();
    await expect.poll(() => other.getByRole('table', { name: 'Caps' }).locator('tbody tr').count()).toBeGreaterThan(0);
    await other.close();
  });
});

describe('what is not known yet', () => {
  it('is not told as absent: a plan while the plans are read', async () => {
    const held = Promise.withResolvers<void>();
    await page.route(/\/api\/plans/, async (route) => {
      await held.promise;
      await route.continue().catch(gone);
    });
    await page.goto('about:blank');
    await page.goto(`${stack.console}/#users`);
    const plan = page.getByRole('combobox', { name: 'Plan of zoe' });
    await expect.poll(() => plan.getAttribute('placeholder')).toBe('has a plan');
    held.resolve();
    await expect.poll(() => plan.inputValue()).toMatch(/^Plan number/);
    await page.unroute(/\/api\/plans/);
  });
  it('is not told as absent: the policy in force while it is read, and room is kept for sums', async () => {
    const held = Promise.withResolvers<void>();
    await page.route(/\/api\/(policies\/in-force|organization$|usage\/summary)/, async (route) => {
      await held.promise;
      await route.continue().catch(gone);
    });
    await page.goto('about:blank');
    await page.goto(`${stack.console}/#governance`);
    await page.getByRole('status', { name: 'Authorization policy: loading' }).waitFor();
    await page.getByRole('status', { name: 'Organization policy: loading' }).waitFor();
    expect(await page.getByRole('button', { name: 'Begin with an example' }).count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Usage' }).click();
    await page.getByRole('status', { name: 'Usage: loading' }).waitFor();
    expect(await violations(page)).toEqual([]);
    held.resolve();
    await page.getByText('Mean latency', { exact: true }).first().waitFor();
    await page.unroute(/\/api\/(policies\/in-force|organization$|usage\/summary)/);
  });
});

describe('a policy that could not be read', () => {
  it('is not taken for empty: nothing can be written over it unseen', async () => {
    const inForce = /\/api\/policies\/in-force/;
    await page.route(inForce, (route) =>
      route.fulfill({ status: 503, json: { error: 'The database is silent.' } }).catch(gone),
    );
    await page.goto('about:blank');
    await page.goto(`${stack.console}/#governance`);
    await page.getByRole('alert').getByText('The database is silent.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Cedar policy set' }).count()).toBe(0);
    expect([await button('Begin with an example').count(), await button('Check').isDisabled()]).toEqual([0, true]);
    await page.unroute(inForce);
    await button('Try again').click();
    await page.getByRole('textbox', { name: 'Cedar policy set' }).waitFor();
  });
});

describe('what was read before a reading failed', () => {
  it.each([
    ['governance', /\/api\/policies\/in-force/, () => page.getByRole('textbox', { name: 'Cedar policy set' })],
    ['plans', /\/api\/plans/, () => page.getByRole('table', { name: 'Plans' })],
    ['usage', /\/api\/usage\/summary/, () => page.getByText('Mean latency', { exact: true }).first()],
  ] as const)('stays, with the time it was read at: %s', async (place, asked, stands) => {
    await open(place);
    await stands().waitFor();
    await page.route(asked, (route) => route.fulfill({ status: 503, json: { error: 'The database is silent.' } }));
    await button('Read again what is shown').click();
    await page
      .getByRole('alert')
      .getByText(/^The database is silent\. What stands below was read at \d+ \w+ \d{4}, \d\d:\d\d:\d\d UTC\.$/)
      .waitFor();
    expect(await stands().isVisible()).toBe(true);
    expect([...(await violations(page)), ...(await widerThanScreen(page))]).toEqual([]);
    await page.unroute(asked);
    await button('Try again').click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });
});

describe('what an agent called its session', () => {
  it('shows every character that would steer how the rest of the page reads', async () => {
    const sql = ownerOf(stack);
    await sql`
      insert into agent_acts (id, session, subject, at, tool, target_kind, target_value, authorized_by, outcome)
      values (gen_random_uuid(), ${'run\u202edekover'}, 'zoe', now(), ${'sh\u2066ell'}, 'path', ${'/tmp/\u202egpj.exe'}, 'policy', 'succeeded')`;
    await sql.end();
    await open('audit/agent-acts');
    const row = rowsOf('Agent acts').filter({ hasText: '/tmp/' });
    expect(await row.textContent()).toMatch(/sh\\u2066ell\/tmp\/\\u202egpj\.exe/);
    await row.getByRole('button', { name: /^Details/ }).click();
    await dialogOf(page).getByText('run\\u202edekover', { exact: true }).waitFor();
    expect(await page.locator('body').textContent()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    await page.keyboard.press('Escape');
    await open('audit/agent-sessions');
    await button('Revoke: Revoke session run\\u202edekover').click();
    await dialogOf(page).getByLabel('Reason, kept in the log').fill('a false name');
    await dialogOf(page).getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('Session run\\u202edekover revoked.').waitFor();
    await expect.poll(() => rowsOf('Agent sessions').filter({ hasText: 'dekover' }).textContent()).toContain('revoked');
  });
});

describe('a verification', () => {
  it('that ends before its verdict says so, and a verdict says of what and when', async () => {
    await open('audit/verification');
    const asked = /\/api\/audit\/verification/;
    await page.route(asked, (route) => route.fulfill({ body: '{"verified":1,"total":9}\n' }));
    await button('Verify').click();
    await page.getByText('The verification broke off before its verdict. Run it again.').waitFor();
    await page.unroute(asked);
    await page.getByText('Administration', { exact: true }).last().click();
    await button('Verify').click();
    await page.getByText('The chain is whole').waitFor();
    await page.getByText('Decisions', { exact: true }).last().click();
    await page.getByText(/^Administration, as they stood at .* UTC\.$/).waitFor();
    expect(await violations(page)).toEqual([]);
  });
});

describe('a small screen', () => {
  it('shows which part of the audit is read, however far to the right its name stands', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    for (const [place, name] of [
      ['audit/verification', 'Verification'],
      ['audit/revoked-subjects', 'Revoked subjects'],
      ['audit', 'Decisions'],
    ] as const) {
      await open(place);
      const label = page.getByRole('radiogroup', { name: 'What to read' }).getByText(name, { exact: true });
      await expect.poll(async () => (await label.boundingBox())?.x ?? -1).toBeGreaterThanOrEqual(0);
      await expect
        .poll(async () => {
          const box = await label.boundingBox();
          return (box?.x ?? 0) + (box?.width ?? 1000);
        })
        .toBeLessThanOrEqual(360);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
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
