import MiniSearch from 'minisearch';
import { expect, it } from 'vitest';
import { type Heading, hitsIn } from './beginnings.ts';

const index = new MiniSearch<Heading & { text: string }>({
  fields: ['title', 'titles', 'text'],
  storeFields: ['title', 'titles'],
});
index.addAll([
  { id: '/v/1.0.0/log#checkpoint', title: 'Keep a checkpoint', titles: ['Verify &amp; export'], text: 'a signed note' },
  { id: '/v/1.0.0/roles#roles', title: 'Roles &lt;all&gt;', titles: [], text: 'the checkpoint of a role' },
]);
const places = (question: string) => hitsIn(index, question).map(({ href }) => href);

it('the last word may be cut short, and a heading comes before a text', () => {
  expect(places('checkp')).toEqual(['/v/1.0.0/log#checkpoint', '/v/1.0.0/roles#roles']);
  expect(places('checkpoint ro')).toEqual(['/v/1.0.0/roles#roles']);
});
it('every other word must match completely', () => {
  expect(places('checkp role')).toEqual([]);
  expect(places('zeppelin checkp')).toEqual([]);
});
it('nothing is guessed at', () => {
  expect(places('chekpoint')).toEqual([]);
});
it('page and heading are shown as they read', () => {
  expect(hitsIn(index, 'signed')).toEqual([
    { href: '/v/1.0.0/log#checkpoint', titles: ['Verify & export', 'Keep a checkpoint'], excerpt: '' },
  ]);
  expect(hitsIn(index, 'role')[0]?.titles).toEqual(['Roles <all>']);
});
