import type { Page } from 'playwright-core';
import { startHostedStack } from '../support/hosted-stack.ts';
import { openConsole, openPage, signedIn, visit } from './browser.ts';
import { appendDecisions, furnish } from './furnished.ts';

/** The hosted console of a furnished instance, in a browser. */
export async function openFurnishedConsole({ decisions = 0 } = {}) {
  const stack = await startHostedStack();
  await furnish(stack);
  if (decisions > 0) await appendDecisions(stack, decisions);
  const { browser, page, faults } = await openConsole(stack);
  return {
    stack,
    browser,
    page,
    faults,
    /** A tab, or a part of one: `audit/verification`. */
    open: (place: string, on = page, surface = '/') => visit(on, stack.console + surface, place),
    /** A browser with HTTP Basic credentials. Its faults are added when it is closed. */
    async pageOf(credentials: { username: string; password: string }): Promise<Page> {
      const opened = await openPage(await signedIn(browser, credentials), [new URL(stack.console).origin]);
      opened.page.on('close', () => faults.push(...opened.faults));
      return opened.page;
    },
    async stop(): Promise<void> {
      await browser.close();
      await stack.stop();
    },
  };
}

export type FurnishedConsole = Awaited<ReturnType<typeof openFurnishedConsole>>;
