import { afterAll, beforeAll, expect, it } from 'vitest';
import { PAGES } from '../../site/build/sections.ts';
import { lookAt, type OpenManual, openManual } from './open-manual.ts';

// Each page of the manual. manual.test.ts looks at the first one of each section.
let manual: OpenManual;
beforeAll(async () => {
  manual = await openManual();
  await manual.page.goto(`${manual.gateway}/v`);
});
afterAll(() => manual?.stop());

it('every page opens by its own address, and meets no accessibility fault', async () => {
  const base = manual.page.url();
  const looks: Record<string, object> = {};
  for (const { path } of PAGES) looks[path] = await lookAt(manual.page, `${base}${path}`);
  const heading = expect.stringMatching(/./) as string;
  expect(looks).toEqual(Object.fromEntries(PAGES.map(({ path }) => [path, { heading, found: [] }])));
  expect(manual.faults).toEqual([]);
});
