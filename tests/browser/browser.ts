import { existsSync } from 'node:fs';
import axe, { type AxeResults } from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** Where Debian and others put it; the tests bring no browser of their own. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export async function openBrowser(): Promise<Browser> {
  const executablePath = PLACES.find((place) => existsSync(place));
  if (executablePath === undefined) throw new Error('no Chromium on this machine (Debian: apt-get install chromium)');
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run', '--disable-sync'],
  });
}

/** A page that notes what must not happen: a request to anywhere but the console, an error on the page. */
export async function openPage(
  context: BrowserContext,
  origins: readonly string[],
): Promise<{ page: Page; faults: string[] }> {
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && !origins.includes(url.origin)) faults.push(`asked ${url.origin}`);
  });
  page.on('pageerror', (error) => faults.push(error.message));
  return { page, faults };
}

/** What axe finds on the page as it stands, one line a violation. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations: found } = await page.evaluate<AxeResults>("axe.run(document, { resultTypes: ['violations'] })");
  return found.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, any }) => `${html.slice(0, 120)} (${any[0]?.message ?? ''})`).join(' | ')}`,
  );
}
