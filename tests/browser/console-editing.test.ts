import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HostedStack, startHostedStack } from '../support/hosted-stack.ts';
import { dialogOf, openConsole, submit, textIn, violations, visit, widerThanScreen } from './browser.ts';
import { asPair, ownerOf } from './furnished.ts';
import { holdBack } from './interception.ts';

// Declared objects are changed in the pages, by several administrators at once.
let stack: HostedStack;
let browser: Browser;
let page: Page;
let faults: string[];
let ask: ReturnType<typeof asPair>;
beforeAll(async () => {
  stack = await startHostedStack();
  ask = asPair(stack);
  ({ browser, page, faults } = await openConsole(stack));
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
// The label of a field that must be filled in ends in an asterisk.
const field = (label: string) => dialogOf(page).getByRole('textbox', { name: new RegExp(`^${label}`) });
const focused = () => page.evaluate("document.activeElement?.getAttribute('aria-label')");
const stored = async (table: 'providers' | 'models' | 'endpoints', id: string) => {
  const sql = ownerOf(stack);
  const [row] = await sql`select * from ${sql(table)} where id = ${id}`;
  await sql.end();
  return row;
};
/** The bodies of every change that is sent while something is done. */
async function sentWhile(work: () => Promise<void>): Promise<unknown[]> {
  const bodies: unknown[] = [];
  const note = (request: { method: () => string; postDataJSON: () => unknown }) => {
    if (request.method() !== 'GET') bodies.push(request.postDataJSON());
  };
  page.on('request', note);
  await work();
  page.off('request', note);
  return bodies;
}

/** A provider, a model of it and an endpoint, under names that no other test has. */
async function declare(name: string, prices = { inputPrice: 0.000_000_5, outputPrice: 0 }) {
  const provider = await ask('POST', '/api/providers', { slug: name, name, baseUrl: `https://${name}.example/base` });
  const model = await ask('POST', '/api/models', {
    slug: `m-${name}`,
    name: `M ${name}`,
    provider: provider.id,
    ...prices,
  });
  const endpoint = await ask('POST', '/api/endpoints', { name: `e-${name}`, model: model.id });
  await visit(page, `${stack.console}/`, 'endpoints');
  return { provider: provider.id, model: model.id, endpoint: endpoint.id };
}
async function openForm(name: string): Promise<void> {
  await button(name).focus();
  await page.keyboard.press('Enter');
  await dialogOf(page).waitFor();
}
async function leaveForm(): Promise<void> {
  await page.keyboard.press('Escape');
  await dialogOf(page).waitFor({ state: 'detached' });
}

describe('a provider', () => {
  it('is changed by keyboard: only changed members are sent, and the focus returns', async () => {
    const { provider } = await declare('alpha');
    const sent = await sentWhile(async () => {
      await openForm('Edit provider alpha');
      await field('Key variable').fill(' ALPHA_KEY ');
      await field('Key header').fill('x-api-key');
      // Notifications disappear after three seconds: start to wait before they appear.
      await Promise.all([
        page.getByText('Provider alpha saved. It takes effect with the next call.').waitFor(),
        page.keyboard.press('Enter'),
      ]);
      await dialogOf(page).waitFor({ state: 'detached' });
    });
    expect(sent).toEqual([{ apiKeyEnv: 'ALPHA_KEY', apiKeyHeader: 'x-api-key' }]);
    await page.getByRole('row', { name: /alpha.*ALPHA_KEY in x-api-key/ }).waitFor();
    await expect.poll(focused).toBe('Edit provider alpha');
    await openForm('Edit provider alpha');
    await field('Key variable').fill('');
    await field('Key header').fill('');
    await submit(page, 'Save');
    expect(await stored('providers', provider)).toMatchObject({ api_key_env: null, api_key_header: null });
  });
  it('needs the acknowledgement for an address in the clear, and gives it back with one that is encrypted', async () => {
    const { provider } = await declare('beta');
    await openForm('Edit provider beta');
    await field('Base URL').fill('http://beta.example');
    await page.keyboard.press('Enter');
    await dialogOf(page).getByText('acknowledge that traffic to it travels in the clear').waitFor();
    await expect.poll(() => field('Base URL').getAttribute('aria-invalid')).toBe('true');
    expect(await violations(page)).toEqual([]);
    await dialogOf(page).getByRole('checkbox').check();
    await submit(page, 'Save');
    await page.getByRole('row', { name: /beta.*clear text/ }).waitFor();
    await openForm('Edit provider beta');
    await expect.poll(() => dialogOf(page).getByRole('checkbox').isChecked()).toBe(true);
    await field('Base URL').fill('https://beta.example');
    await expect.poll(() => dialogOf(page).getByRole('checkbox').count()).toBe(0);
    await submit(page, 'Save');
    expect(await stored('providers', provider)).toMatchObject({
      base_url: 'https://beta.example',
      clear_text_acknowledged: false,
    });
  });
  it('sends nothing where nothing was changed', async () => {
    await declare('gamma');
    const sent = await sentWhile(async () => {
      await openForm('Edit provider gamma');
      await submit(page, 'Save');
    });
    expect(sent).toEqual([]);
    await expect.poll(focused).toBe('Edit provider gamma');
  });
  it('marks the refused fields, and keeps the rest', async () => {
    await declare('delta');
    await declare('delta-two');
    await openForm('Edit provider delta-two');
    await field('Key variable').fill('DATABASE_URL');
    await field('Base URL').fill('https://user@host.example');
    await page.keyboard.press('Enter');
    await expect.poll(() => dialogOf(page).getByRole('alert').textContent()).toBe('2 fields need correction.');
    await expect.poll(() => field('Key variable').getAttribute('aria-invalid')).toBe('true');
    expect(await field('Base URL').inputValue()).toBe('https://user@host.example');
    await field('Key variable').fill('');
    await field('Base URL').fill('https://host.example');
    await field('Slug').fill('delta');
    await page.keyboard.press('Enter');
    await expect.poll(() => dialogOf(page).getByRole('alert').textContent()).toMatch(/slug/);
    expect(await field('Base URL').inputValue()).toBe('https://host.example');
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await widerThanScreen(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
    await leaveForm();
  });
  it('keeps changes that another administrator made meanwhile', async () => {
    const { provider } = await declare('epsilon');
    await openForm('Edit provider epsilon');
    await ask('PATCH', `/api/providers/${provider}`, { baseUrl: 'https://moved.example', apiKeyEnv: 'MOVED' });
    await field('Name').fill('Epsilon');
    await submit(page, 'Save');
    expect(await stored('providers', provider)).toMatchObject({
      name: 'Epsilon',
      base_url: 'https://moved.example',
      api_key_env: 'MOVED',
    });
    await page.getByRole('row', { name: /Epsilon.*moved\.example/ }).waitFor();
  });
  it('that another administrator deleted meanwhile is reported as deleted, and keeps the input until that is read', async () => {
    const { provider, model, endpoint } = await declare('zeta');
    await openForm('Edit provider zeta');
    await field('Name').fill('Zeta');
    const sql = ownerOf(stack);
    await sql`delete from endpoints where id = ${endpoint}`;
    await sql`delete from models where id = ${model}`;
    await sql`delete from providers where id = ${provider}`;
    await sql.end();
    await page.keyboard.press('Enter');
    await expect.poll(() => dialogOf(page).getByRole('alert').textContent()).toMatch(/provider/);
    await button('Edit provider zeta').waitFor({ state: 'detached' });
    expect(await field('Name').inputValue()).toBe('Zeta');
    await leaveForm();
    await expect.poll(focused).toBe('Providers');
  });
});

describe('a model', () => {
  it('is renamed without a touch to its prices, however many decimals they have', async () => {
    const { model } = await declare('eta', { inputPrice: 0.000_000_123_456_789, outputPrice: 0.000_002 });
    const sent = await sentWhile(async () => {
      await openForm('Edit model M eta');
      expect(await field('Input price').inputValue()).toBe('0.123456789');
      for (const label of ['Input price', 'Output price', 'Name']) await field(label).focus();
      await field('Name').fill('Eta');
      await submit(page, 'Save');
    });
    expect(sent).toEqual([{ name: 'Eta' }]);
    expect(await stored('models', model)).toMatchObject({ name: 'Eta', slug: 'm-eta' });
  });
  it('gets a price, and the form says for which calls it counts', async () => {
    const { model } = await declare('theta');
    await openForm('Edit model M theta');
    await dialogOf(page).getByText('calls made before the change are counted at it too').waitFor();
    expect(await violations(page)).toEqual([]);
    await field('Output price').fill('1.5');
    await submit(page, 'Save');
    await page.getByRole('row', { name: /M theta.*€0\.50.*€1\.50/ }).waitFor();
    const sql = ownerOf(stack);
    const [row] =
      await sql`select input_price::float8 as input, output_price::float8 as output from models where id = ${model}`;
    await sql.end();
    expect(row).toEqual({ input: 0.000_000_5, output: 0.000_001_5 });
  });
  it('takes no price that is none', async () => {
    await declare('iota');
    await openForm('Edit model M iota');
    await field('Input price').fill('-0.5');
    await field('Slug').fill('');
    await page.keyboard.press('Enter');
    await dialogOf(page).getByText('Fill in this field.').waitFor();
    await dialogOf(page)
      .getByText(/^Type a number of 0 or more/)
      .waitFor();
    expect(await violations(page)).toEqual([]);
    await field('Input price').fill('0.5');
    await expect.poll(() => field('Input price').getAttribute('aria-invalid')).not.toBe('true');
    await leaveForm();
  });
});

describe('an endpoint', () => {
  it('gets another name, and the form says what becomes of the old one', async () => {
    const { endpoint } = await declare('kappa');
    await openForm('Edit endpoint e-kappa');
    await dialogOf(page).getByText('a caller that still uses /e-kappa is answered 404').waitFor();
    expect(await violations(page)).toEqual([]);
    await field('Name').fill('v');
    await page.keyboard.press('Enter');
    await dialogOf(page).getByText('the gateway keeps these').waitFor();
    await field('Name').fill('kappa.2');
    await field('Paths').fill('/chat/completions\n\n /models/* ');
    await submit(page, 'Save');
    await page.getByText('/kappa.2', { exact: true }).waitFor();
    await expect.poll(focused).toBe('Edit endpoint kappa.2');
    expect(await stored('endpoints', endpoint)).toMatchObject({
      name: 'kappa.2',
      active: true,
      paths: ['/chat/completions', '/models/*'],
    });
  });
  it('whose row was removed before its change is refused still shows the refusal', async () => {
    const { endpoint } = await declare('lambda');
    const sql = ownerOf(stack);
    await sql`delete from endpoints where id = ${endpoint}`;
    await sql.end();
    await Promise.all([
      page
        .getByRole('alert')
        .getByText(/endpoint/)
        .waitFor(),
      page.getByRole('switch', { name: 'e-lambda is active' }).click({ force: true }),
    ]);
    await expect.poll(() => button('Edit endpoint e-lambda').count()).toBe(0);
  });
});

describe('typed input', () => {
  it('stays in a form when something beside it is clicked, and an untouched form closes', async () => {
    await declare('ny');
    await openForm('Edit provider ny');
    await field('Name').fill('Typed');
    await page.mouse.click(5, 400);
    await page.mouse.click(1275, 400);
    expect(await field('Name').inputValue()).toBe('Typed');
    await leaveForm();
    await openForm('Edit provider ny');
    expect(await field('Name').inputValue()).toBe('ny');
    await page.mouse.click(5, 400);
    await dialogOf(page).waitFor({ state: 'detached' });
  });
  it('of a policy stays while another tab is looked at, and the browser asks before the page is left', async () => {
    await visit(page, `${stack.console}/`, 'governance');
    const editor = page.getByLabel('Cedar policy set');
    const asked = () => page.evaluate<boolean>("!dispatchEvent(new Event('beforeunload', { cancelable: true }))");
    expect(await asked()).toBe(false);
    await editor.fill('forbid(principal, action, resource) when { false };');
    await page.getByRole('tab', { name: 'Audit' }).click();
    await page.getByRole('heading', { name: 'Decisions' }).waitFor();
    expect(await asked()).toBe(true);
    await page.getByRole('tab', { name: 'Policy' }).click();
    expect(await textIn(editor)).toBe('forbid(principal, action, resource) when { false };');
    await button('Install').click(); // which checks the text first
    await page.getByText('revision 1 in force').waitFor();
    await expect.poll(asked).toBe(false);
  });
});

describe('a dialog that is left while its change is on the way', () => {
  it('still shows its refusal', async () => {
    await declare('my');
    const letGo = await holdBack(page, /\/api\/providers\//, (route) =>
      route.fulfill({ status: 503, json: { error: 'Refused just now.' } }),
    );
    await openForm('Edit provider my');
    await field('Name').fill('My');
    await page.keyboard.press('Enter');
    await expect.poll(() => dialogOf(page).getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await leaveForm();
    const said = page.getByText('Refused just now.').waitFor();
    await letGo();
    await said;
  });
});

it('asked nobody but the console and met no error', () => {
  expect(faults).toEqual([]);
});
