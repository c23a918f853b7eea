import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dialogOf, openPage, violations, widerThanScreen } from './browser.ts';
import { asPair, holderOf } from './furnished.ts';
import { type FurnishedConsole, openFurnishedConsole } from './furnished-console.ts';
import { faultsOf } from './looks.ts';
import { keepScreenshot } from './screenshots.ts';

let hosted: FurnishedConsole;
let page: Page;
beforeAll(async () => {
  hosted = await openFurnishedConsole({ decisions: 60 });
  ({ page } = hosted);
});
afterAll(() => hosted?.stop());

const open = (place: string) => hosted.open(place);
const button = (name: string | RegExp, of: Page | ReturnType<typeof dialogOf> = page) =>
  of.getByRole('button', { name, exact: typeof name === 'string' });
const asked = (title: string) => page.getByRole('dialog', { name: title, exact: true });

describe('an engine that fails', () => {
  const key = new Map<string, string>();
  const call = async (endpoint: string) => {
    const answer = await fetch(`${hosted.stack.gateway}/${endpoint}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.get('eve')}`, 'content-type': 'application/json' },
      body: '{"messages":[{"role":"user","content":"Hello"}]}',
    });
    return answer.status;
  };
  it('is seen at its provider, in Usage, and in the entry of each call, apart from the decision', async () => {
    const ask = asPair(hosted.stack);
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
    await declare('works', hosted.stack.engine);
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
    expect(await faultsOf(page, 'usage-engines')).toEqual([]);
    await open('endpoints');
    await cells('Providers').getByText('2 of 2 failed in the last hour').waitFor();
    await cells('Providers')
      .getByText(/the last failure: The provider could not be reached: /)
      .waitFor();
    expect(await faultsOf(page, 'provider-health')).toEqual([]);
    await open('audit/decisions?resource=FAIL');
    await button(/^Details: Decision/)
      .first()
      .click();
    await dialogOf(page).getByText('no answer', { exact: true }).waitFor();
    await dialogOf(page)
      .getByText(/^fails: The provider could not be reached/)
      .waitFor();
    expect(await faultsOf(page, 'decision-upstream')).toEqual([]);
    await page.keyboard.press('Escape');
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
    expect(await faultsOf(page, 'plan-thresholds')).toEqual([]);
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
    await form.getByRole('textbox', { name: 'Base URL', exact: true }).fill(`${hosted.stack.engine}/v1`);
    await form.getByText('The address may have the version twice').waitFor();
    await form.getByRole('textbox', { name: 'Base URL', exact: true }).fill(hosted.stack.engine);
    await form.getByText('The address may have the version twice').waitFor({ state: 'detached' });
    await form.getByLabel(/I acknowledge/).check();
    await button('List the models of the engine', form).click();
    await form.getByRole('combobox', { name: 'Model', exact: true }).click();
    await page.getByRole('option', { name: 'demo-model', exact: true }).click();
    await form.getByRole('textbox', { name: 'Key variable', exact: true }).fill('NOBODY_SET_THIS');
    await form.getByRole('textbox', { name: 'Model', exact: true }).fill('demo-model');
    await form.getByText('No gateway has reported this variable yet.').waitFor();
    await form.getByRole('textbox', { name: 'Endpoint', exact: true }).fill('chat'); // in use already
    await button('Connect', form).click();
    await form.getByText('Provider and model are declared.').waitFor();
    expect(await faultsOf(page, 'connect-taken')).toEqual([]);
    await form.getByRole('textbox', { name: 'Endpoint', exact: true }).fill('second');
    await button('Connect', form).click();
    await form.getByText('/second is declared.', { exact: true }).waitFor();
    await form.getByText(/NOBODY_SET_THIS/).waitFor();
    expect(await faultsOf(page, 'connect-declared')).toEqual([]);
    await button('Done', form).click();
    await page.getByText('/second', { exact: true }).waitFor();
    await page
      .getByText(/^Missing in the environment of /)
      .first()
      .waitFor();
    await button('Edit provider Second engine').click();
    await form.getByRole('textbox', { name: 'Key variable', exact: true }).fill('');
    await button('Save', form).click();
    await button('Test connection to Second engine').click();
    await dialogOf(page).getByText('The engine answers', { exact: true }).waitFor();
    await dialogOf(page).getByText('demo-model', { exact: true }).waitFor();
    expect(await faultsOf(page, 'test-connection')).toEqual([]);
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
  expect([...(await widerThanScreen(page)), ...(await faultsOf(page, 'phone-users'))]).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
});

describe('the sign-in page', () => {
  it('signs in by a form, shows the signed-in subject, returns to the requested page, and signs out', async () => {
    const context = await hosted.browser.newContext({
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
    });
    const { page: stranger } = await openPage(context, [new URL(hosted.stack.console).origin]);
    await stranger.goto(`${hosted.stack.console}/#plans`);
    await stranger.getByLabel('Username').fill('admin');
    await stranger.getByLabel('Password, or account key').fill('a wrong guess');
    expect(await violations(stranger)).toEqual([]);
    await stranger.getByRole('button', { name: 'Sign in' }).click();
    await stranger.getByRole('alert').getByText('Username and password do not match.').waitFor();
    await keepScreenshot(stranger, 'sign-in', 'look');
    const { user = '', password = '' } = hosted.stack.consoleSignIn ?? {};
    await stranger.getByLabel('Username').fill(user);
    await stranger.getByLabel('Password, or account key').fill(password);
    await stranger.getByRole('button', { name: 'Sign in' }).click();
    await stranger.getByRole('heading', { name: 'Plans' }).waitFor();
    await stranger.getByText('Shared pair', { exact: true }).waitFor();
    await stranger.getByRole('link', { name: 'Sign out' }).click();
    await stranger.getByText('You are signed out of this console.').waitFor();
    await stranger.goto(`${hosted.stack.console}/`);
    await stranger.getByLabel('Username').waitFor();
    // An administrator, with a key of the account.
    const { username, password: key } = await holderOf(hosted.stack, 'root', 'administrateur-d-instance');
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
  expect(hosted.faults).toEqual([]);
});
