import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ready, startStack } from '../support/stack.ts';
import { dialogOf, openBrowser, openPage, submit, textIn, violations, visit, widerThanScreen } from './browser.ts';
import { ownerOf } from './furnished.ts';
import { holdBack } from './interception.ts';
import { keepScreenshot } from './screenshots.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TABS = [
  ['endpoints', 'Endpoints'],
  ['governance', 'Policy'],
  ['audit', 'Audit'],
] as const;

let stack: Ready & { stop: () => Promise<number | null> };
let browser: Browser;
let page: Page;
let faults: string[];

function gatewayctl(...words: readonly string[]): void {
  const ran = spawnSync('npx', ['--no-install', 'gatewayctl', ...words], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, DATABASE_URL: stack.database.owner },
  });
  if (ran.status !== 0) throw new Error(`gatewayctl ${words.join(' ')}: ${ran.stderr}`);
}

beforeAll(async () => {
  stack = await startStack('--bare', '--profile', 'on-premise');
  gatewayctl('grant', stack.directory?.subject ?? '', 'administrateur-d-instance', 'test');
  browser = await openBrowser();
  // The demo identity provider's authority is made at first start; the browser does not know it.
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    reducedMotion: 'reduce',
    viewport: { width: 1280, height: 800 },
  });
  const origins = [stack.console, stack.directory?.issuer ?? ''].map((url) => new URL(url).origin);
  ({ page, faults } = await openPage(context, origins));
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

/** Fills in the identity provider's form. */
async function signIn(at: Page): Promise<void> {
  const name = at.locator('input:not([type=hidden]):not([type=password]):not([type=submit])').first();
  await name.fill(stack.consoleSignIn?.user ?? '');
  await at.locator('input[type=password]').fill(stack.consoleSignIn?.password ?? '');
  await at.locator('[type=submit]').first().click();
}

describe('the on-premise console in a browser', () => {
  it('lets in through the identity provider, and opens on the overview, before its three other tabs', async () => {
    await page.goto(`${stack.console}/auth/login`);
    await signIn(page);
    await page.getByRole('tab', { selected: true }).waitFor();
    expect(new URL(page.url()).origin).toBe(new URL(stack.console).origin);
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Overview', ...TABS.map(([, label]) => label)]);
    // On a screen that is wider than the page, its head begins where the rest does.
    await page.setViewportSize({ width: 1600, height: 800 });
    const left = async (of: Locator) => (await of.boundingBox())?.x;
    expect(await left(page.locator('header img'))).toBe(await left(page.getByRole('tablist')));
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it.each(['light', 'dark'] as const)(
    'has no accessibility fault on any tab in %s, and fits a small screen',
    async (scheme) => {
      await page.emulateMedia({ colorScheme: scheme });
      const found: Record<string, string[]> = {};
      for (const [tab] of TABS) {
        await visit(page, `${stack.console}/`, tab);
        found[tab] = await violations(page);
        await keepScreenshot(page, `console-on-premise-${tab}-${scheme}`);
        await page.setViewportSize({ width: 360, height: 740 });
        found[tab].push(...(await widerThanScreen(page)));
        await page.setViewportSize({ width: 1280, height: 800 });
      }
      expect(found).toEqual(Object.fromEntries(TABS.map(([tab]) => [tab, []])));
    },
  );

  it("tells an administrator what is an auditor's to read, and claims nothing of it", async () => {
    await visit(page, `${stack.console}/`, 'audit');
    await page.getByText('No role of yours reads this').waitFor();
    await page.getByText('“Read the logs” here. The role Auditor carries it.').waitFor();
    // A list that is not readable has neither filters nor an export.
    expect(await page.getByRole('search').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Export' }).count()).toBe(0);
    await visit(page, `${stack.console}/`, 'audit/verification');
    await page.getByText('The role Auditor carries “Verify the logs”.').waitFor();
    expect(await page.getByRole('button', { name: 'Verify' }).count()).toBe(0);
    await visit(page, `${stack.console}/`, 'audit/agent-sessions');
    expect(await page.getByRole('search').count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Revoke a session' }).count()).toBe(1);
    await page.getByRole('link', { name: 'Gateway console' }).click();
    await page.getByText('An auditor verifies the logs').waitFor();
    const license = page.getByRole('group', { name: 'License' }).getByRole('link');
    expect(await license.getAttribute('href')).toBe(`${stack.gateway}/v/operator/licence`);
    const tops = await page
      .getByRole('group', { name: 'License' })
      .locator('xpath=../*')
      .evaluateAll((tiles) => tiles.map((tile) => Math.round(tile.getBoundingClientRect().top)));
    expect(tops.filter((top) => top === tops.at(-1)).length).toBeGreaterThan(1); // no tile is alone in its row
    await visit(page, `${stack.console}/`, 'governance');
    await page.getByText("Reading the policy in force is the auditor's right.").waitFor();
    expect(await page.getByText('none installed').count()).toBe(0);
    await page.getByRole('textbox', { name: 'Cedar policy set' }).fill('forbid(principal, action, resource);');
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('The text can be installed.').waitFor();
    expect(await page.getByRole('region', { name: 'Difference to the revision in force' }).count()).toBe(0);
    expect(await violations(page)).toEqual([]);
  });

  it('keeps the input when a session ends, and links to a new sign-in beside it', async () => {
    const sql = ownerOf(stack);
    const kept = await sql`delete from console_sessions returning digest, subject, expires_at`;
    await page.getByRole('button', { name: 'Install', exact: true }).click();
    await dialogOf(page).getByRole('textbox').fill('lockout');
    await dialogOf(page).getByRole('button', { name: 'Install', exact: true }).click();
    const link = page.getByRole('link', { name: 'Sign in, in a new tab' }).first();
    await link.waitFor();
    expect([await link.getAttribute('href'), await link.getAttribute('target')]).toEqual([
      '/auth/login?to=%2F%23governance',
      '_blank',
    ]);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await textIn(page.getByRole('textbox', { name: 'Cedar policy set' }))).toContain('forbid');
    await sql`insert into console_sessions ${sql(kept, 'digest', 'subject', 'expires_at')}`;
    await sql.end();
  });

  it('returns to the requested page if it is opened after the session ended', async () => {
    const context = await browser.newContext({ ignoreHTTPSErrors: true, reducedMotion: 'reduce' });
    const { page: stranger } = await openPage(context, []);
    // Without a session at the console or at the identity provider, by a link that a colleague sent.
    await stranger.goto(`${stack.console}/#audit/agent-sessions?subject=ada&page=1`);
    await signIn(stranger);
    await stranger.getByRole('heading', { name: 'Agent sessions' }).waitFor();
    expect(await stranger.getByLabel('Subject', { exact: true }).inputValue()).toBe('ada');
    expect(new URL(stranger.url()).hash).toBe('#audit/agent-sessions?subject=ada&page=1');
    await stranger.getByRole('tab', { name: 'Policy' }).click();
    await stranger.getByRole('heading', { name: 'Authorization policy', exact: true }).waitFor();
    // The session ends while the page is shown; the identity provider still knows the person.
    await context.clearCookies({ name: /gateway-console-session/ });
    await stranger.reload();
    await stranger.getByRole('heading', { name: 'Authorization policy', exact: true }).waitFor();
    expect(new URL(stranger.url()).hash).toBe('#governance');
    await stranger.goBack();
    await stranger.getByRole('heading', { name: 'Agent sessions' }).waitFor();
    await context.close();
  });

  it('declares a provider and shows the author', async () => {
    await visit(page, `${stack.console}/`, 'endpoints');
    await page.getByRole('button', { name: 'Declare the first provider' }).click();
    await dialogOf(page).getByLabel('Name').first().fill('Engine');
    await dialogOf(page).getByLabel('Slug').fill('engine');
    await dialogOf(page).getByLabel('Base URL').fill('https://engine.example');
    await submit(page, 'Declare');
    await page.getByText('engine.example').waitFor();
    expect((await page.request.get(`${stack.console}/api/users`)).status()).toBe(404);
  });

  it('gives a role, and fills a project, where no account is administered', async () => {
    const part = (name: string) =>
      page.getByRole('radiogroup', { name: 'What to administer' }).getByText(name, { exact: true }).click();
    const rows = (table: string) => page.getByRole('table', { name: table }).locator('tbody tr');
    await visit(page, `${stack.console}/`, 'governance');
    await part('Roles');
    await page.getByRole('button', { name: 'Grant a role' }).click();
    await dialogOf(page).getByLabel('Subject').fill('lena');
    await dialogOf(page).getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: 'administrateur-de-projet' }).click();
    await dialogOf(page).getByRole('button', { name: 'Grant', exact: true }).waitFor();
    await dialogOf(page).getByLabel('Project').fill('a b');
    await dialogOf(page).getByRole('button', { name: 'Grant', exact: true }).click();
    await dialogOf(page).getByText('must be 1 to 64 characters').waitFor();
    await dialogOf(page).getByLabel('Project').fill('gemini');
    await submit(page, 'Grant');
    const lena = rows('Roles').filter({ hasText: 'lena' });
    await lena.getByText('Project administrator · gemini').waitFor();
    expect(await lena.textContent()).toContain('not seen yet');
    await part('Projects');
    await expect.poll(() => rows('Projects').allTextContents()).toEqual([expect.stringMatching(/^geminilena0/)]);
    await page.getByRole('button', { name: 'Add a member' }).click();
    await dialogOf(page).getByLabel('Project').fill('gemini');
    await dialogOf(page).getByLabel('Subject').fill('otto');
    await submit(page, 'Add');
    await rows('Projects')
      .filter({ hasText: /^geminilena1/ })
      .waitFor();
    await page.getByRole('button', { name: 'Members of gemini' }).click();
    await rows('Members of gemini').filter({ hasText: 'otto' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'detached' });
    // A removed role leaves a project without an administrator. A person known only by that role leaves the list, not the
    // dialog.
    await part('Roles');
    await page.getByRole('button', { name: 'Change the roles of lena' }).click();
    await page.getByRole('button', { name: /^Remove: Remove the role Project administrator · .* from lena$/ }).click();
    const letGo = await holdBack(page, /\/api\/role-assignments\?/);
    await page.getByRole('dialog').last().getByRole('button', { name: 'Remove', exact: true }).click();
    await lena.waitFor({ state: 'detached' });
    await letGo();
    await dialogOf(page).getByText('No role yet: every call is refused.').waitFor();
    await page.keyboard.press('Escape');
    await part('Projects');
    await page.getByText('nobody has its role').waitFor();
  });

  it('leads an auditor to the audit, and a project administrator to the project', async () => {
    const subject = stack.directory?.subject ?? '';
    gatewayctl('revoke-role', subject, 'administrateur-d-instance', 'test');
    gatewayctl('grant', subject, 'auditeur', 'test');
    await visit(page, `${stack.console}/audit`, '');
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Audit', 'Policy']);
    expect(await page.getByRole('radiogroup', { name: 'What to read' }).locator('label').allTextContents()).toEqual([
      'Decisions',
      'Administration',
      'Agent acts',
      'Secrets found',
      'Verification',
    ]);
    await page.getByRole('radiogroup', { name: 'What to read' }).getByText('Administration', { exact: true }).click();
    await page.getByRole('cell', { name: 'provider:', exact: false }).first().waitFor();
    expect(await violations(page)).toEqual([]);
    await visit(page, `${stack.console}/audit`, 'governance');
    await page.getByRole('heading', { name: 'Attempts at an authorization policy' }).waitFor();
    await page.getByText('There is no organization.').waitFor();
    expect(await violations(page)).toEqual([]);
    expect((await page.goto(`${stack.console}/`))?.status()).toBe(403);
    await page.getByText('“Open the console of the instance” here. The role Administrator carries it.').waitFor();
    // An administrator needs the subject to grant the role.
    expect(await page.getByText('You are signed in as').textContent()).toBe(`You are signed in as ${subject}.`);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('tab', { selected: true }).waitFor();
    gatewayctl('revoke-role', subject, 'auditeur', 'test');
    gatewayctl('grant', subject, 'administrateur-de-projet', 'test', '--project', 'apollo');
    await visit(page, `${stack.console}/project`, '');
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Members']);
    await page.getByText('Nobody belongs to this project yet.').waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('ends the session where one signs out, and offers to end the one at the identity provider', async () => {
    await page.getByRole('link', { name: 'Sign out' }).click();
    await page.getByText('You are signed out of this console.').waitFor();
    expect(
      await page.getByRole('link', { name: 'Sign out of the identity provider too' }).getAttribute('href'),
    ).toContain(stack.directory?.issuer);
    expect(await violations(page)).toEqual([]);
    await keepScreenshot(page, 'console-on-premise-signed-out', 'look');
  });

  it('refuses a user who signed out', async () => {
    const answer = await page.request.get(`${stack.console}/api/endpoints`);
    expect(answer.status()).toBe(401);
  });

  it('asked nobody but the console and the identity provider, and met no error', () => {
    expect(faults).toEqual([]);
  });
});
