import type { Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { dialogOf, textIn, violations, widerThanScreen } from './browser.ts';
import { button, faults, open, page, stack, useDemandingConsole } from './demanding.ts';
import { asPair } from './furnished.ts';
import { holdBack, intercept } from './interception.ts';

useDemandingConsole();

// Another administrator changes things at the same time, and the network or a read fails.

const SILENT_DATABASE = (route: Route): Promise<void> =>
  route.fulfill({ status: 503, json: { error: 'The database is silent.' } });

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

describe('a plan that two change at once', () => {
  it('keeps the other change, and the focus', async () => {
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
    expect(await dialogOf(page).getByLabel('Monthly cap').inputValue()).toBe('3');
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'detached' });
    await expect
      .poll(() => page.evaluate("document.activeElement?.getAttribute('aria-label')"))
      .toBe('Edit plan Renamed');
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
  it('continues while one is installed, and recognizes the new revision as its own', async () => {
    await open('governance');
    const text = page.getByRole('textbox', { name: /^Policy document/ });
    await page.getByText('revision 2, by shared-pair').waitFor();
    // The page reloads its lists after an installation; one of them is held back, so that the installation takes longer.
    const letGo = await holdBack(page, /\/api\/audit\/organization-policy/);
    await text.fill('{"tools": {}}');
    await button('Install the next revision').click();
    await page.getByText('revision 3, by shared-pair').waitFor();
    expect(await page.getByText('while you were writing').count()).toBe(0);
    await text.fill('{"tools": {"exclude": ["shell"]}}');
    await letGo();
    await expect.poll(() => button('Install the next revision').isEnabled()).toBe(true);
    expect(await text.inputValue()).toBe('{"tools": {"exclude": ["shell"]}}');
    expect(await page.getByText('while you were writing').count()).toBe(0);
  });
});

describe('an authorization policy that is being written', () => {
  const NEVER = 'forbid (principal, action, resource) when { false };\n';
  it('is not lost when another administrator installs one meanwhile, and names them before it replaces theirs', async () => {
    await open('governance');
    const text = page.getByRole('textbox', { name: 'Cedar policy set' });
    await text.fill(NEVER);
    await asPair(stack)('POST', '/api/policies', { cedar: `// of another administrator\n${NEVER}` });
    await button('Check').click();
    await page.getByText('shared-pair installed revision 1 while you were writing.').waitFor();
    await page.getByText('- // of another administrator').waitFor();
    expect(await textIn(text)).toBe(NEVER);
    expect(await violations(page)).toEqual([]);
    await button('Show revision 1 instead').click();
    await expect.poll(() => textIn(text)).toContain('of another administrator');
    await text.fill(NEVER);
    await button('Install').click(); // which checks the text first
    await page.getByText('revision 2 in force').waitFor();
    expect(await page.getByText('while you were writing').count()).toBe(0);
  });
});

describe('a page that is read again', () => {
  it('shows what others did since, on a press of a button', async () => {
    await open('plans?page=1');
    await asPair(stack)('POST', '/api/plans', { slug: '0-latest', name: 'Latest of all', monthlyCap: 1 });
    expect(await page.getByText('Latest of all').count()).toBe(0);
    await button('Refresh').focus();
    await page.keyboard.press('Enter');
    await page.getByText('Latest of all').waitFor();
    expect(await page.evaluate("document.activeElement?.getAttribute('aria-label')")).toBe('Refresh');
  });
});

describe('a browser that is offline', () => {
  it('is reported at once, keeps the loaded data, and queues no change', async () => {
    await open('plans');
    await page.context().setOffline(true);
    await button('Refresh').click();
    await page.getByRole('alert').getByText('The console cannot be reached.').waitFor();
    await button('Create a plan').click();
    await dialogOf(page).getByLabel('Name').fill('Never made');
    await dialogOf(page).getByLabel('Slug').fill('never-made');
    await dialogOf(page).getByRole('button', { name: 'Create', exact: true }).click();
    await dialogOf(page).getByText('The console cannot be reached.').waitFor();
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'detached' });
    await page.context().setOffline(false);
    // Back online, the data is reloaded by itself.
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

describe('data that is not loaded yet', () => {
  it('is not shown as absent: a plan while the plans load', async () => {
    const letGo = await holdBack(page, /\/api\/plans/);
    await page.goto('about:blank');
    await page.goto(`${stack.console}/#users`);
    const plan = page.getByRole('combobox', { name: 'Plan of zoe' });
    await expect.poll(() => plan.getAttribute('placeholder')).toBe('has a plan');
    await letGo();
    await expect.poll(() => plan.inputValue()).toMatch(/^Plan number/);
  });
  it('is not shown as absent: the policy in force while it loads, and space is reserved for sums', async () => {
    const letGo = await holdBack(page, /\/api\/(policies\/in-force|organization$|usage\/summary)/);
    await page.goto('about:blank');
    await page.goto(`${stack.console}/#governance`);
    // By their whole names: the attempts at either are being read too, while the machine is slow.
    for (const policy of ['Authorization policy', 'Organization policy']) {
      await page.getByRole('status', { name: `${policy}: loading`, exact: true }).waitFor();
    }
    expect(await page.getByRole('button', { name: 'Insert a template' }).count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Usage' }).click();
    await page.getByRole('status', { name: 'Usage: loading' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await letGo();
    await page.getByText('Mean latency', { exact: true }).first().waitFor();
  });
});

describe('a policy that could not be read', () => {
  it('is not shown as empty: nothing can be overwritten unseen', async () => {
    const answered = await intercept(page, /\/api\/policies\/in-force/, SILENT_DATABASE);
    await page.goto('about:blank');
    await page.goto(`${stack.console}/#governance`);
    await page.getByRole('alert').getByText('The database is silent.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Cedar policy set' }).count()).toBe(0);
    expect([await button('Insert a template').count(), await button('Check').isDisabled()]).toEqual([0, true]);
    await answered();
    // It is read again by itself.
    await page.getByRole('textbox', { name: 'Cedar policy set' }).waitFor();
  });
});

describe('data from before a failed read', () => {
  it.each([
    ['governance', /\/api\/policies\/in-force/, () => page.getByRole('textbox', { name: 'Cedar policy set' })],
    ['governance', /\/api\/policies\/in-force/, () => page.getByText(/^(none installed|revision \d+.*)$/).first()],
    ['plans', /\/api\/plans/, () => page.getByRole('table', { name: 'Plans' })],
    ['usage', /\/api\/usage\/summary/, () => page.getByText('Mean latency', { exact: true }).first()],
  ] as const)('stays, with the time it was read at: %s', async (place, asked, stands) => {
    await open(place);
    await stands().waitFor();
    const answered = await intercept(page, asked, SILENT_DATABASE);
    await button('Refresh').click();
    await page
      .getByRole('alert')
      .getByText(/^The database is silent\. The data below was read at \d+ \w+ \d{4}, \d\d:\d\d:\d\d UTC\.$/)
      .waitFor();
    expect(await stands().isVisible()).toBe(true);
    expect([...(await violations(page)), ...(await widerThanScreen(page))]).toEqual([]);
    await answered();
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });
});

describe('a verification', () => {
  it('of a console that cannot be reached reports this', async () => {
    await open('audit/verification');
    await intercept(page, /\/api\/audit\/verification/, (route) => route.abort());
    await button('Verify').click();
    await page.getByRole('alert').getByText('The console cannot be reached.').waitFor();
    expect(await violations(page)).toEqual([]);
  });
  it('that ends before its decision reports this, and a decision shows its log and time', async () => {
    await open('audit/verification');
    const brokenOff = await intercept(page, /\/api\/audit\/verification/, (route) =>
      route.fulfill({ body: '{"verified":1,"total":9}\n' }),
    );
    await button('Verify').click();
    await page.getByText('The verification ended without a result. Run it again.').waitFor();
    await brokenOff();
    await page.getByText('Administration', { exact: true }).last().click();
    await button('Verify').click();
    await page.getByText('The chain is intact').waitFor();
    await page.getByText('Decisions', { exact: true }).last().click();
    await page.getByText(/^Administration, as of .* UTC\.$/).waitFor();
    expect(await violations(page)).toEqual([]);
  });
});

it('asked nobody but the console and met no error', () => {
  expect(faults).toEqual([]);
});
