import { expect, it } from 'vitest';
import { slugOf } from './validated-form.tsx';

it.each([
  ['Engine of the research team', 'engine-of-the-research-team'],
  ['  Zoë & Co. ', 'zoe-co'],
  ['qwen3.5:4b', 'qwen3-5-4b'],
  ['日本', ''],
  ['a'.repeat(80), 'a'.repeat(64)],
])('%s becomes %s', (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});
