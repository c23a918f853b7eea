import { existsSync } from 'node:fs';
import axe, { type AxeResults } from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import type { Stack } from '../support/hosted-stack.ts';

/**
 * Where Debian and others put it; the tests bring no browser of their own. The shell without windows needs a third less
 * processor time.
 */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

export async function openBrowser(): Promise<Browser> {
  const executablePath = PLACES.find((place) => existsSync(place));
  if (executablePath === undefined)
    throw new Error('no Chromium on this machine (Debian: apt-get install chromium-headless-shell)');
  return chromium.launch({
    executablePath,
    timeout: 300_000, // a machine that is busy takes its time
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run', '--disable-sync'],
  });
}

/**
 * A window that sends HTTP Basic credentials from its first request on: one without credentials is redirected to the sign-in
 * page.
 */
export function signedIn(
  browser: Browser,
  credentials: { username: string; password: string },
): Promise<BrowserContext> {
  const viewport = { width: 1280, height: 800 };
  const authorization = `Basic ${btoa(`${credentials.username}:${credentials.password}`)}`;
  return browser.newContext({ extraHTTPHeaders: { authorization }, viewport, reducedMotion: 'reduce' });
}

/** A page that notes what must not happen: a request to anywhere but the console, an error on the page. */
export async function openPage(
  context: BrowserContext,
  origins: readonly string[],
): Promise<{ page: Page; faults: string[] }> {
  const page = await context.newPage();
  page.setDefaultTimeout(60_000); // a machine that is busy takes its time; what never comes is named within the test's bound
  // Chromium intercepts for this page from the start: a document that is loaded before the first route was added may still
  // send a request past it (2 of 400 on a busy machine).
  await page.route(/^about:blank#interception$/, (route) => route.continue());
  const faults: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && !origins.includes(url.origin)) faults.push(`asked ${url.origin}`);
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|Minified React error/.test(message.text())) faults.push(message.text());
  });
  return { page, faults };
}

/** A browser in which the shared pair of a hosted stack is signed in, with a page for its console. */
export async function openConsole(
  stack: Pick<Stack, 'console' | 'consoleSignIn'>,
): Promise<{ browser: Browser; context: BrowserContext; page: Page; faults: string[] }> {
  const browser = await openBrowser();
  const { user = '', password = '' } = stack.consoleSignIn ?? {};
  const context = await signedIn(browser, { username: user, password });
  return { browser, context, ...(await openPage(context, [new URL(stack.console).origin])) };
}

/** Reloads one tab of a surface, and waits until its data is loaded. */
export async function visit(page: Page, surface: string, tab: string): Promise<void> {
  await page.goto('about:blank'); // an address that differs in its fragment alone would not be loaded again
  await page.goto(`${surface}#${tab}`);
  await page.getByRole('tab', { selected: true }).waitFor();
  await untilRead(page);
}

/**
 * No loading indicator is visible; drawings may trigger further requests. No font is loading either, which would move the
 * layout.
 */
const READ = `(async () => {
  for (let still = 0; still < 3; still += 1) {
    await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
    if (document.querySelector('[aria-busy=true]') !== null) still = -1;
  }
  await document.fonts.ready;
})()`;

/** Waits until the console shows its data: the refresh button is busy until then. */
export async function untilRead(page: Page): Promise<void> {
  await page.evaluate(READ);
}

/** The text of the policy editor: of the plain one, or of the one that colours it. */
export async function textIn(editor: Locator): Promise<string> {
  const lines = editor.locator('.cm-line');
  return (await lines.count()) === 0 ? editor.inputValue() : (await lines.allTextContents()).join('\n');
}

export const dialogOf = (page: Page): Locator => page.getByRole('dialog');

/** Submits the open dialog and waits until it is closed. */
export async function submit(page: Page, name: string): Promise<void> {
  await dialogOf(page).getByRole('button', { name, exact: true }).click();
  await dialogOf(page).waitFor({ state: 'detached' });
}

/** Waits until nothing moves but what never ends: a colour on its way to another one is no colour of the page. */
const SETTLED = `(async () => {
  for (;;) {
    await new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)));
    const moving = document.getAnimations().filter(
      (one) => one.playState === 'running' && Number.isFinite(one.effect?.getComputedTiming().endTime),
    );
    if (moving.length === 0) return;
    await Promise.allSettled(moving.map((one) => one.finished));
  }
})()`;

/** The rules of axe that depend on the colour scheme. The others read the same document in each scheme. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** What axe finds on the current page, one line a violation. In dark, what was seen in light is not looked for again. */
export async function violations(page: Page, scheme: 'light' | 'dark' = 'light'): Promise<string[]> {
  await page.evaluate(SETTLED);
  // Half a megabyte to be parsed: once for each document.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  // Media playback is not checked, and only violations are reported.
  const options = {
    resultTypes: ['violations'],
    preload: false,
    selectors: false,
    ...(scheme === 'dark' ? { runOnly: OF_COLOURS } : {}),
  };
  const { violations: found } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  return found.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, any }) => `${html.slice(0, 120)} (${any[0]?.message ?? ''})`).join(' | ')}`,
  );
}

/**
 * What of the page is wider than the screen; nothing where it need not be scrolled sideways. A page follows a new size of its window
 * some frames later, so what is too wide is looked at for 30 of them.
 */
export async function widerThanScreen(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(async () => {
    const look = () => {
      const wide = document.documentElement.clientWidth;
      // What stands in a fixed place makes no page wider: it is off the screen for good.
      const isWide = document.documentElement.scrollWidth > wide;
      return [...document.querySelectorAll(isWide ? 'body *' : 'header *')]
        .filter((element) => element.getBoundingClientRect().right > wide + 1)
        .map((element) => element.tagName + '.' + element.className)
        .slice(0, 5);
    };
    for (let frame = 0; frame < 30 && look().length > 0; frame += 1) await new Promise(requestAnimationFrame);
    return look();
  })()`);
}

/** Numbers in tables that wrap, or are separated from their unit. */
export async function brokenNumbers(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('td')]
    .filter((cell) => getComputedStyle(cell).textAlign === 'right' && cell.querySelector('button, a') === null)
    .flatMap((cell) => [...cell.querySelectorAll('*')])
    .filter((element) => element.getBoundingClientRect().height > 1.5 * parseFloat(getComputedStyle(element).lineHeight))
    .map((element) => 'broken: ' + element.textContent)
    .slice(0, 5)`);
}

/** Rows of tables that are higher than two lines need; on a phone, than three. */
export async function tallRows(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('main tbody tr')]
    .filter((row) => row.getBoundingClientRect().height > (innerWidth < 600 ? 90 : 70))
    .map((row) => 'tall: ' + row.textContent.slice(0, 60))
    .slice(0, 5)`);
}

/** Texts that do not fit: truncated, or overflowing their box or cell. Scrollable rows do not count. */
export async function cutShort(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('main *')]
    .filter((element) => element.matches('td, th') || [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== ''))
    .filter((element) => !element.closest('table.mantine-Table-table caption, pre, textarea, [class*=read]'))
    .filter((element) => getComputedStyle(element).webkitLineClamp === 'none' && element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1)
    .map((element) => element.className.split(' ')[0] + ': ' + element.textContent.slice(0, 40))
    .slice(0, 5)`);
}
