import { expect, it } from 'vitest';
import { KEYWORDS } from './keywords.ts';
import { INDEX, PAGES } from './sections.ts';

it('every page has keywords, and no other path does', () => {
  expect(Object.keys(KEYWORDS).sort()).toEqual([INDEX, ...PAGES].map(({ path }) => path).sort());
});

it('keywords fit on one line of the front matter', () => {
  for (const words of Object.values(KEYWORDS)) expect(words).toMatch(/^[^\n'"].*[^\n,'"]$/);
});
