import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brokenNumbers, cutShort, dialogOf, tallRows, untilRead, violations, widerThanScreen } from './browser.ts';
import { type FurnishedConsole, openFurnishedConsole } from './furnished-console.ts';
import { intercept } from './interception.ts';
import { keepPicture, keepScreenshot } from './screenshots.ts';

const TABS = [
  ['users', 'Users'],
  ['plans', 'Plans'],
  ['endpoints', 'Endpoints'],
  ['usage', 'Usage'],
  ['caps', 'Caps'],
  ['governance', 'Policy'],
  ['audit', 'Audit'],
] as const;
const PARTS = [
  'caps/alerts',
  'governance/roles',
  'governance/projects',
  'audit/administration',
  'audit/agent-acts',
  'audit/agent-sessions',
  'audit/agent-commands',
  'audit/detections',
  'audit/revoked-subjects',
  'audit/verification',
] as const;

/** Of the parts, those that a page of the manual shows. */
const PICTURED: readonly string[] = ['governance/roles', 'audit/agent-sessions', 'audit/detections'];

/** Every dialog: where it is, and the button that opens it. */
const DIALOGS = {
  users: ['Create a user', 'Keys of ada', 'Change the roles of ada', 'Access of ada'],
  plans: ['Create a plan', 'Edit plan Team'],
  endpoints: [
    'Connect an engine',
    'Create an endpoint',
    'Call it: code',
    'Declare a model',
    'Declare a provider',
    'Edit provider Research cluster',
    'Edit model BGE M3',
    'Edit endpoint chat',
  ],
  governance: ['Create an organization'],
  'governance/roles': ['Grant a role', 'Change the roles of ada', 'Access of mallory'],
  'governance/projects': ['Add a member', 'Members of apollo'],
  audit: ['Details: Decision 120'],
  'audit/administration': ['Details: Action 1'],
  'audit/agent-sessions': ['Revoke: Revoke session session-0', 'Revoke a session'],
  'audit/revoked-subjects': ['Revoke a subject', 'Lift: Lift the revocation of mallory'],
} as const;

let hosted: FurnishedConsole;
let page: Page;
beforeAll(async () => {
  hosted = await openFurnishedConsole();
  ({ page } = hosted);
});
afterAll(() => hosted?.stop());

const open = (place: string, on = page, surface = '/') => hosted.open(place, on, surface);
const button = (name: string, on = page) => on.getByRole('button', { name, exact: true });
const PLACES = [...TABS.map(([tab]) => tab), ...PARTS];
const nameOf = (place: string) => place.replace('/', '-').replaceAll(' ', '-').toLowerCase();

describe('the hosted console in a browser', () => {
  it('opens on the overview, before its seven other tabs', async () => {
    await open('');
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Overview', ...TABS.map(([, label]) => label)]);
    expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Overview');
    await untilRead(page);
    await keepPicture(page, 'console-overview');
  });

  // Loaded once, on the smallest screen, and looked at in every way: to load a page takes longer than to look at it.
  it.each(PLACES)('fits small screens, whole, and is accessible in light and in dark: %s', async (place) => {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 360, height: 740 });
    await open(place);
    const found = [...(await widerThanScreen(page)), ...(await cutShort(page)), ...(await tallRows(page))];
    await keepScreenshot(page, `small-${nameOf(place)}`, 'look');
    await page.setViewportSize({ width: 768, height: 740 });
    found.push(...(await cutShort(page)), ...(await brokenNumbers(page)));
    await page.setViewportSize({ width: 1280, height: 800 });
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      found.push(...(await violations(page, scheme)));
      const isPictured = !place.includes('/') || PICTURED.includes(place);
      await keepScreenshot(page, `console-${nameOf(place)}-${scheme}`, isPictured ? 'documentation' : 'look');
    }
    expect(found).toEqual([]);
  });

  it.each(Object.entries(DIALOGS))(
    'has no accessibility fault in a dialog, which fits a small screen and closes by Escape: %s',
    async (place, openers) => {
      await open(place);
      const found: Record<string, string[]> = {};
      for (const opener of openers) {
        await button(opener).first().click();
        await dialogOf(page).waitFor();
        await untilRead(page);
        const faulty: string[] = [];
        for (const scheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme: scheme });
          faulty.push(...(await violations(page, scheme)));
          await keepScreenshot(page, `dialog-${nameOf(place)}-${nameOf(opener.split(':')[0] ?? '')}-${scheme}`, 'look');
        }
        await page.setViewportSize({ width: 360, height: 740 });
        faulty.push(...(await widerThanScreen(page)));
        await page.setViewportSize({ width: 1280, height: 800 });
        found[opener] = faulty;
        await page.keyboard.press('Escape');
        await dialogOf(page).waitFor({ state: 'detached' });
      }
      expect(found).toEqual(Object.fromEntries(openers.map((opener) => [opener, []])));
    },
  );

  it('cuts no number of a large instance short on a screen of 360 or 768 pixels', async () => {
    // A year of it.
    const huge = {
      requests: 1_234_567_890,
      inputTokens: 98_765_432_109_876,
      outputTokens: 9_876_543_210_987,
      cost: 123_456_789.12,
    };
    await intercept(page, /\/api\/usage\/summary\?/, async (route) => {
      const summary = await (await route.fetch()).json();
      await route.fulfill({ json: { ...summary, totals: { ...summary.totals, ...huge } } });
    });
    const found: string[] = [];
    for (const width of [360, 768]) {
      await page.setViewportSize({ width, height: 740 });
      await open('usage');
      await page.getByText('1,234,567,890', { exact: true }).waitFor();
      found.push(...(await cutShort(page)));
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(found).toEqual([]);
  });
  it('marks the open part of the audit, at any position in the row of names', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    for (const part of ['agent-sessions', 'verification', 'decisions']) {
      await open(`audit/${part}`);
      const marked = async () => {
        const label = await page.locator('.mantine-SegmentedControl-label[data-active]').first().boundingBox();
        const mark = await page.locator('.mantine-SegmentedControl-indicator').first().boundingBox();
        return Math.abs((label?.x ?? 0) - (mark?.x ?? 1000));
      };
      await expect.poll(marked).toBeLessThan(3);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });
  it('shows switches, selections and consumption in forced colours', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    const background = (selector: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).backgroundColor`);
    const shown: Record<string, string> = {};
    for (const [place, selector] of [
      ['endpoints', '.mantine-Switch-input:checked + .mantine-Switch-track'],
      ['audit', '.mantine-SegmentedControl-label[data-active]'],
      ['caps', '.mantine-Progress-section'],
    ] as const) {
      await open(place);
      shown[place] = await background(selector);
      expect(await background('body')).not.toBe(shown[place]);
    }
    await page.emulateMedia({ forcedColors: 'none' });
    expect(new Set(Object.values(shown)).size).toBe(1);
  });

  it('asked nobody but the console and met no error', () => {
    expect(hosted.faults).toEqual([]);
  });
});
