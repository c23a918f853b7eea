import { PERMISSIONS, ROLE_NAMES } from '@gateway/contract';
import { expect, it } from 'vitest';
import { inEnglish, permissionLabel, roleLabel } from '../web/ui/labels.ts';

it('every role and every permission has an English name of its own', () => {
  const names = [...PERMISSIONS.map(permissionLabel), ...ROLE_NAMES.map(roleLabel)];
  expect(names.filter((name) => !/^[A-Z][a-z ’]+$/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

it('others keep their identifier', () => {
  expect([permissionLabel('new:thing'), roleLabel('new')]).toEqual(['new:thing', 'new']);
});

it.each([
  ['It needs journal:lire.', 'It needs “Read the logs” (journal:lire).'],
  ['It needs "plans:administrer" now.', 'It needs “Manage plans” (plans:administrer) now.'],
  ['At https://a.example: 12:30, constructor:name.', 'At https://a.example: 12:30, constructor:name.'],
])('%s', (sentence, english) => {
  expect(inEnglish(sentence)).toBe(english);
});
