import { expect, it } from 'vitest';
import { acrossBuilds, type Variable } from './reading.ts';

const variable = (name: string): Variable => ({ name, form: 'a text', fallback: null, effect: 'Is read.' });

it('names each variable once, with the builds that list it', () => {
  const builds = { serverless: ['A', 'B'].map(variable), 'on-premise': ['C', 'B'].map(variable) };
  expect(acrossBuilds(builds).map(({ variable: { name }, readers }) => [name, readers])).toEqual([
    ['A', 'serverless'],
    ['B', 'both'],
    ['C', 'on-premise'],
  ]);
});
