import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ready, startStack } from '../support/stack.ts';
import { dialogOf, openConsole, openPage, untilRead, violations, visit, widerThanScreen } from './browser.ts';
import { appendDecisions, asPair, furnish, holderOf } from './furnished.ts';
import { intercept } from './interception.ts';
import { keepScreenshot } from './screenshots.ts';

let stack: Ready & { stop: () => Promise<number | null> };
let browser: Browser;
let page: Page;
let faults: string[];

beforeAll(async () => {
  stack = await startStack('--bare');
  await furnish(stack);
  await appendDecisions(stack, 60);
  ({ browser, page, faults } = await openConsole(stack));
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const open = (place: string) => visit(page, `${stack.console}/`, place);
const button = (name: string | RegExp, of: Page | ReturnType<typeof dialogOf> = page) =>
  of.getByRole('button', { name, exact: typeof name === 'string' });
const asked = (title: string) => page.getByRole('dialog', { name: title, exact: true });

/** Violations that axe finds in both colour schemes; a screenshot is stored. */
async function faultsOf(name: string): Promise<string[]> {
  const found: string[] = [];
  await untilRead(page); // reloading data is shown pale until then
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    found.push(...(await violations(page)));
    await keepScreenshot(page, `${name}-${scheme}`, 'look');
  }
  await page.emulateMedia({ colorScheme: 'light' });
  return found;
}

describe('a policy that is being written', () => {
  const editor = () => page.getByLabel('Cedar policy set');
  it('is checked by itself: names that do not exist, and what the last decisions would have been', async () => {
    await open('governance');
    await editor().fill(
      'forbid (principal, action == Action::"inference:appeler", resource) unless { resource == Endpoint::"chta" || resource == Endpoint::"chat" };',
    );
    await page.getByText('Endpoint "chta": no endpoint has this name').waitFor();
    await page.getByText(/^It would have refused \d+ of the last \d+ decisions$/).waitFor();
    await page.getByText(/^By endpoint or resource: \/\w+ \(\d+\), /).waitFor();
    await page.getByText(/^By role: User \(\d+\)$/).waitFor();
    await page.getByText(/^By subject: /).waitFor();
    expect(await faultsOf('policy-preview')).toEqual([]);
  });
  it('that locks all subjects out is installed only after a word was typed', async () => {
    await editor().fill('forbid(principal, action, resource);');
    await button('Install').click();
    const dialog = asked('Lock people out?');
    await dialog.getByText('Nobody could call any endpoint.').waitFor();
    expect(await faultsOf('policy-lockout')).toEqual([]);
    await dialog.getByRole('textbox').fill('yes');
    await button('Install', dialog).click();
    await dialog.getByText('Type lockout to continue.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('revision 1 in force').waitFor();
  });
  it('begins with a template that refuses no existing subject', async () => {
    await editor().fill('');
    const templates = [
      'One person, one endpoint',
      'An endpoint for few people',
      'Working hours',
      'A network',
      'No agent commands',
    ];
    for (const template of templates) {
      await button('Insert a template').click();
      await page.getByRole('menuitem', { name: template }).click();
    }
    await page.getByText(/^It would have refused 0 of the last/).waitFor();
    expect(await page.getByText('This locks people out').count()).toBe(0);
    await page.getByText('Subject "contractor@example.com": no account').first().waitFor();
    await button('Install').click();
    await page.getByText('revision 2 in force').waitFor();
  });
});

describe("a person's access", () => {
  it('shows why every call is refused, and does not promise a fix while another cause remains', async () => {
    await open('users?search=alan');
    await button('Access of alan').click();
    const access = asked('Access of alan');
    await access.getByText('served', { exact: true }).waitFor();
    expect(await faultsOf('access')).toEqual([]);
    await button('Revoke: Revoke alan').click();
    await asked('Revoke alan').getByLabel('Reason, kept in the log').fill('a lost laptop');
    await button('Revoke', asked('Revoke alan')).click();
    await access.getByText(/^Revoked since .* by shared-pair: a lost laptop$/).waitFor();
    await button('Disable', access).click();
    await access.getByText('The account is disabled.').waitFor();
    await button('Enable', access).first().click();
    await page.getByText('The account of alan is enabled. Its calls are still refused: it is revoked.').waitFor();
    expect(await page.getByText('alan may call again').count()).toBe(0);
    expect(await faultsOf('access-revoked')).toEqual([]);
    await page.setViewportSize({ width: 390, height: 740 });
    await keepScreenshot(page, 'access-small', 'look');
    await page.setViewportSize({ width: 1280, height: 800 });
  });
  it('undoes a change', async () => {
    // The toast of a revocation offers to lift it again.
    await page.getByText('alan is refused from the next call on.').locator('xpath=../..').getByText('Undo').click();
    await page.getByText('The revocation of alan is lifted.').waitFor();
    await asked('Access of alan').getByText('served', { exact: true }).waitFor();
    expect(await asked('Access of alan').getByText('Revoked since').count()).toBe(0);
    await page.keyboard.press('Escape');
  });
  it('has no button beside the plan that blocks at once: removing a plan asks first, and can be undone', async () => {
    await open('users?search=alan');
    expect(await page.getByRole('row').filter({ hasText: 'alan' }).locator('.mantine-CloseButton-root').count()).toBe(
      0,
    );
    await button('Access of alan').click();
    const access = asked('Access of alan');
    await button('Remove the plan: Take the plan of alan away').click();
    await button('Remove the plan', asked('Take the plan of alan away')).click();
    await access.getByText('The account has no plan.').waitFor();
    await page.getByText('alan has no plan: its calls are refused.').locator('xpath=../..').getByText('Undo').click();
    await access.getByText('served', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
  });
  it('of a name that nobody bears is not revoked by a slip', async () => {
    await open('audit/revoked-subjects');
    await button('Revoke a subject').click();
    const dialog = dialogOf(page);
    await dialog.getByLabel('Subject').fill('alam');
    await dialog.getByLabel('Reason, kept in the log').fill('a slip');
    await dialog.getByText('Nobody is known as “alam”').waitFor();
    expect(await faultsOf('revoke-unknown')).toEqual([]);
    await button('Revoke', dialog).click();
    await dialog.getByText('Check the name, or confirm that you mean it.').waitFor();
    await dialog.getByLabel('Subject').fill('alan');
    await dialog.getByText('Nobody is known as').waitFor({ state: 'detached' });
    await dialog.getByLabel('Subject').fill('alam');
    await dialog.getByLabel('Revoke it anyway').check();
    await button('Revoke', dialog).click();
    await page.getByText('alam would be refused; this name is unknown until now.').waitFor();
    await asPair(stack)('POST', '/api/role-assignments', { subject: 'alam', role: 'utilisateur-standard' });
  });
});

describe('an engine that fails', () => {
  const key = new Map<string, string>();
  const call = async (endpoint: string) => {
    const answer = await fetch(`${stack.gateway}/${endpoint}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.get('eve')}`, 'content-type': 'application/json' },
      body: '{"messages":[{"role":"user","content":"Hello"}]}',
    });
    return answer.status;
  };
  it('is seen at its provider, in Usage, and in the entry of each call, apart from the decision', async () => {
    const ask = asPair(stack);
    const declare = async (slug: string, baseUrl: string) => {
      const provider = await ask('POST', '/api/providers', { slug, name: slug, baseUrl, clearTextAcknowledged: true });
      const prices = { inputPrice: 0, outputPrice: 0 };
      const model = await ask('POST', '/api/models', {
        slug: 'demo-model',
        name: slug,
        provider: provider.id,
        ...prices,
      });
      await ask('POST', '/api/endpoints', { name: slug, model: model.id });
    };
    await declare('works', stack.engine);
    await declare('fails', 'http://127.0.0.1:9');
    const plan = await ask('POST', '/api/plans', { slug: 'eve', name: 'Eve', monthlyCap: null });
    key.set('eve', (await ask('POST', '/api/users', { username: 'eve', plan: plan.id })).key);
    await ask('POST', '/api/role-assignments', { subject: 'eve', role: 'utilisateur-standard' });
    expect([await call('works'), await call('fails'), await call('fails')]).toEqual([200, 502, 502]);
    const cells = (name: string) => page.getByRole('table', { name }).getByRole('row').filter({ hasText: 'fails' });
    await expect
      .poll(async () => {
        await open('usage?period=day');
        return (await cells('Engine errors').allTextContents())[0];
      })
      .toBe('/failsfails22100 %no answer× 2');
    expect(await faultsOf('usage-engines')).toEqual([]);
    await open('endpoints');
    await cells('Providers').getByText('2 of 2 failed in the last hour').waitFor();
    await cells('Providers')
      .getByText(/^The provider could not be reached: /)
      .waitFor();
    expect(await faultsOf('provider-health')).toEqual([]);
    await open('audit/decisions?resource=FAIL');
    await button(/^Details: Decision/)
      .first()
      .click();
    await dialogOf(page).getByText('no answer', { exact: true }).waitFor();
    await dialogOf(page)
      .getByText(/^fails: The provider could not be reached/)
      .waitFor();
    expect(await faultsOf('decision-upstream')).toEqual([]);
    await page.keyboard.press('Escape');
  });
});

describe('the log and the charts', () => {
  it('find a part of a name, the presets, and one entry by its link', async () => {
    await open('audit/decisions?subject=BARB');
    const names = () =>
      page.getByRole('table', { name: 'Decisions' }).locator('tbody tr td:nth-child(3)').allTextContents();
    await expect.poll(async () => [...new Set(await names())]).toEqual(['barbara']);
    await page.getByRole('link', { name: 'Refused today' }).click();
    const rows = () => page.getByRole('table', { name: 'Decisions' }).locator('tbody tr').allInnerTexts();
    await expect.poll(async () => (await rows()).filter((row) => !/refused/i.test(row))).toEqual([]);
    expect(new URL(page.url()).hash).toMatch(/^#audit\/decisions\?outcome=refused&from=[^&]+$/);
    await open('audit/decisions?sequence=7');
    await button('Details: Decision 7').waitFor();
    expect((await names()).length).toBe(1);
    await button('One entry: show all').click();
    await expect.poll(async () => (await names()).length).toBeGreaterThan(1);
  });
  it('show the values of a chart by keyboard and by pointer, a range of days, and the meaning of a name', async () => {
    await open('usage');
    const chart = page.getByRole('slider', { name: 'Tokens: values by arrow keys' });
    await chart.focus();
    await page.keyboard.press('Home');
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/^\d+ \w+: [\d,]+ input, [\d,]+ output$/);
    expect(await faultsOf('chart-keyboard')).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await chart.getAttribute('aria-valuetext')).toBe('none chosen');
    await page.getByText('Custom', { exact: true }).click();
    await page.getByLabel('First day (UTC)').fill('2026-01-05');
    await page.getByLabel('Last day (UTC)').fill('2026-01-06');
    await expect
      .poll(() => new URL(page.url()).hash)
      .toContain('from=2026-01-05T00%3A00%3A00Z&until=2026-01-07T00%3A00%3A00Z');
    expect(await faultsOf('usage-custom')).toEqual([]);
    await open('usage');
    await page.getByRole('table', { name: 'By subject' }).getByRole('button', { name: 'ada', exact: true }).click();
    await expect.poll(() => new URL(page.url()).hash).toContain('subject=ada');
  });
});

it('reports that the database is down, and recovers by itself once it is back', async () => {
  await open('plans');
  const answered = await intercept(page, /\/api\/plans/, (route) =>
    route.fulfill({ status: 503, json: { error: 'Authorization decision could not be made.', down: 'database' } }),
  );
  await button('Refresh').click();
  const alert = page.getByRole('alert').filter({ hasText: "The console's database does not answer" });
  await alert.getByText('It is tried again every 5 seconds.').waitFor();
  await alert.getByText(/^Nothing can be read or changed until it answers\. The data below was read at /).waitFor();
  expect(await faultsOf('database-down')).toEqual([]);
  await answered();
  await alert.waitFor({ state: 'detached' });
});

it('shows the address at which the gateway is really reached', async () => {
  await open('endpoints');
  await button('Call it: code').click();
  await untilRead(page);
  await dialogOf(page).getByText(`curl ${stack.gateway}/code/v1/chat/completions`).waitFor();
  expect(await dialogOf(page).getByText('is a guess').count()).toBe(0);
  await page.keyboard.press('Escape');
});

describe('the overview', () => {
  it('is linked from the name of the product, shows the current state, and links to pages', async () => {
    await open('plans');
    await page.getByRole('link', { name: 'Gateway console' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await page.getByRole('tab').count()).toBe(7);
    expect(await page.getByRole('tab', { selected: true }).count()).toBe(0);
    await page.getByRole('table', { name: 'Latest decisions' }).waitFor();
    await page
      .getByRole('region', { name: 'Near a cap' })
      .getByText(/^€[\d.,]+ was spent this month\.$/)
      .waitFor();
    await page.getByRole('link', { name: 'Verify the logs' }).waitFor();
    expect(await faultsOf('overview')).toEqual([]);
    await page.setViewportSize({ width: 390, height: 740 });
    expect(await widerThanScreen(page)).toEqual([]);
    const outcome = page
      .getByRole('table', { name: 'Latest decisions' })
      .getByText(/^(granted|refused)$/)
      .first();
    const box = await outcome.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(390); // without scrolling sideways
    await keepScreenshot(page, 'overview-small', 'look');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('link', { name: 'Grant somebody else the role Auditor' }).click();
    await page.getByRole('heading', { name: 'Roles' }).waitFor();
  });
});

describe('budget alerts', () => {
  it('are set with the plan: a new one proposes thresholds, and a faulty one says what to write', async () => {
    await open('plans');
    await button('Create a plan').click();
    const form = dialogOf(page);
    const thresholds = form.getByRole('textbox', { name: 'Alerts at', exact: true });
    expect(await thresholds.inputValue()).toBe('80 %, 100 %');
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Alerting');
    await form.getByRole('textbox', { name: 'Monthly cap', exact: true }).fill('20');
    await thresholds.fill('80, 120');
    await button('Create', form).click();
    await form.getByText('Write whole percentages from 1 to 100, such as 80, 100.').waitFor();
    expect(await faultsOf('plan-thresholds')).toEqual([]);
    await thresholds.fill('90; 50 %, 90');
    await button('Create', form).click();
    const row = page.getByRole('row').filter({ hasText: 'Alerting' });
    await row.getByText('50 %, 90 %', { exact: true }).waitFor();
    await button('Edit plan Alerting').click();
    await thresholds.fill('');
    await button('Save', form).click();
    await row.getByText('no alert', { exact: true }).waitFor();
  });
  it('are on the overview, link to the account, and are listed under Caps', async () => {
    await open('plans');
    await page.getByRole('link', { name: 'Gateway console' }).click();
    const shown = page.getByRole('region', { name: 'Budget alerts' });
    const alert = shown.getByRole('listitem').filter({ hasText: 'ada' });
    expect(await alert.textContent()).toContain('80 % of the cap');
    expect(await alert.getByRole('link', { name: 'ada' }).getAttribute('href')).toBe('#users?search=ada');
    await shown.getByRole('link', { name: 'All alerts' }).click();
    const table = page.getByRole('table', { name: 'Budget alerts' });
    await table.getByRole('row').filter({ hasText: 'ci-pipeline' }).getByText('100 %', { exact: true }).waitFor();
    await page.getByRole('textbox', { name: 'Search accounts' }).fill('nobody');
    await page.getByText('No alert of an account that matches “nobody”.').waitFor();
    await open('caps');
    await page.getByRole('row').filter({ hasText: 'ada' }).getByRole('link', { name: 'at 80 %' }).click();
    await table.getByRole('row').filter({ hasText: 'ada' }).first().waitFor();
    expect(await table.getByRole('row').filter({ hasText: 'ci-pipeline' }).count()).toBe(0);
  });
});

describe('an engine', () => {
  it('is connected in one form, and its connection tested by a gateway', async () => {
    await open('endpoints');
    await button('Connect an engine').click();
    const form = dialogOf(page);
    await form.getByRole('textbox', { name: 'Name of the engine', exact: true }).fill('Second engine');
    await form.getByRole('textbox', { name: 'Base URL', exact: true }).fill(`${stack.engine}/v1`);
    await form.getByText('The address may have the version twice').waitFor();
    await form.getByRole('textbox', { name: 'Base URL', exact: true }).fill(stack.engine);
    await form.getByText('The address may have the version twice').waitFor({ state: 'detached' });
    await form.getByLabel(/I acknowledge/).check();
    await form.getByRole('textbox', { name: 'Model', exact: true }).fill('demo-model');
    await form.getByRole('textbox', { name: 'Endpoint', exact: true }).fill('chat'); // in use already
    await button('Connect', form).click();
    await form.getByText('Provider and model are declared.').waitFor();
    expect(await faultsOf('connect-taken')).toEqual([]);
    await form.getByRole('textbox', { name: 'Endpoint', exact: true }).fill('second');
    await button('Connect', form).click();
    await page.getByText('/second', { exact: true }).waitFor();
    await button('Test connection to Second engine').click();
    await dialogOf(page).getByText('The engine answers', { exact: true }).waitFor();
    await dialogOf(page).getByText('demo-model', { exact: true }).waitFor();
    expect(await faultsOf('test-connection')).toEqual([]);
    await page.keyboard.press('Escape');
    await button('Test connection to fails').click();
    await dialogOf(page).getByText('The engine was not reached').waitFor();
    await page.keyboard.press('Escape');
    await button('Declare a provider').click();
    await dialogOf(page).getByLabel('Name').first().fill('Zoë & Co.');
    expect(await dialogOf(page).getByLabel('Slug').inputValue()).toBe('zoe-co');
    await dialogOf(page).getByLabel('Base URL').fill('https://engine.example/v1');
    await dialogOf(page).getByText('The address may have the version twice').waitFor();
    await page.keyboard.press('Escape');
  });
});

it('keeps the name of a row in sight on a phone, and its actions in a menu', async () => {
  await page.setViewportSize({ width: 390, height: 740 });
  await open('users?search=alan');
  const cell = page.getByRole('table', { name: 'Users' }).locator('tbody td').first();
  const left = async () => Math.round((await cell.boundingBox())?.x ?? -1);
  const before = await left();
  await page.getByRole('group', { name: 'Users' }).evaluate((box) => box.scrollTo(400, 0));
  expect(await left()).toBe(before);
  await page.getByRole('button', { name: /^Actions of/ }).click();
  await button('Access of alan').click();
  await asked('Access of alan').getByText('served', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await asked('Access of alan').waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Users' }).click();
  await button('Access of alan').waitFor({ state: 'hidden' });
  expect([...(await widerThanScreen(page)), ...(await faultsOf('phone-users'))]).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
});

describe('the sign-in page', () => {
  it('signs in by a form, shows the signed-in subject, returns to the requested page, and signs out', async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
    const { page: stranger } = await openPage(context, [new URL(stack.console).origin]);
    await stranger.goto(`${stack.console}/#plans`);
    await stranger.getByLabel('Username').fill('admin');
    await stranger.getByLabel('Password, or account key').fill('a wrong guess');
    expect(await violations(stranger)).toEqual([]);
    await stranger.getByRole('button', { name: 'Sign in' }).click();
    await stranger.getByRole('alert').getByText('Username and password do not match.').waitFor();
    await keepScreenshot(stranger, 'sign-in', 'look');
    const { user = '', password = '' } = stack.consoleSignIn ?? {};
    await stranger.getByLabel('Username').fill(user);
    await stranger.getByLabel('Password, or account key').fill(password);
    await stranger.getByRole('button', { name: 'Sign in' }).click();
    await stranger.getByRole('heading', { name: 'Plans' }).waitFor();
    await stranger.getByText('Shared pair', { exact: true }).waitFor();
    await stranger.getByRole('link', { name: 'Sign out' }).click();
    await stranger.getByText('You are signed out of this console.').waitFor();
    await stranger.goto(`${stack.console}/`);
    await stranger.getByLabel('Username').waitFor();
    // An administrator, with a key of the account.
    const { username, password: key } = await holderOf(stack, 'root', 'administrateur-d-instance');
    await stranger.getByLabel('Username').fill(username);
    await stranger.getByLabel('Password, or account key').fill(key);
    await stranger.getByRole('button', { name: 'Sign in' }).click();
    await stranger.getByText('Administrator', { exact: true }).first().waitFor();
    expect(await violations(stranger)).toEqual([]);
    await keepScreenshot(stranger, 'signed-in', 'look');
    await context.close();
  });
});

it('asked nobody but the console and met no error', () => {
  expect(faults).toEqual([]);
});
