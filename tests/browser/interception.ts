import type { Page, Route } from 'playwright-core';
import { onTestFinished } from 'vitest';

type Answer = (route: Route) => Promise<void>;

/**
 * Answers what the page asks at such addresses, instead of the server. It ends with the function that is returned, and
 * with the test however that ends: no other test finds what this one left.
 */
export async function intercept(page: Page, asked: RegExp, answer: Answer): Promise<() => Promise<void>> {
  const given = new Set<Promise<void>>();
  const handler = async (route: Route): Promise<void> => {
    // The request may be cancelled with its page before it is answered: then there is nothing to do.
    const one = answer(route).catch(() => undefined);
    given.add(one);
    await one;
    given.delete(one);
  };
  await page.route(asked, handler);
  const end = async (): Promise<void> => {
    await Promise.all(given); // without its route, pending requests would go to the server
    await page.unroute(asked, handler);
  };
  onTestFinished(end);
  return end;
}

/** Holds back the page's requests to such addresses until the returned function is called, or the test ends. */
export async function holdBack(
  page: Page,
  asked: RegExp,
  answer: Answer = (route) => route.continue(),
): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>();
  const end = await intercept(page, asked, async (route) => {
    await held.promise;
    await answer(route);
  });
  const letGo = (): Promise<void> => {
    held.resolve();
    return end();
  };
  onTestFinished(letGo); // before what ends the interception: the last one that was named is the first
  return letGo;
}
