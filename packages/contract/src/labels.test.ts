import { assert, constantFrom, property, string } from 'fast-check';
import { expect, it } from 'vitest';
import { CAUSES } from './causes.ts';
import { APPROVALS } from './decision.ts';
import { PERMISSIONS, ROLE_NAMES } from './index.ts';
import {
  inEnglish,
  namedPermission,
  namedRole,
  permissionLabel,
  reasonLabel,
  reasonNames,
  roleLabel,
  scopedRoleLabel,
} from './labels.ts';
import { REFUSAL_CODES } from './refusals.ts';

it('every role and every permission has an English name of its own', () => {
  const names = [...PERMISSIONS.map(permissionLabel), ...ROLE_NAMES.map(roleLabel)];
  expect(names.filter((name) => !/^[A-Z][a-z ’]+$/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

it('every reason of a decision has an English name of its own, short enough for a column', () => {
  expect([...APPROVALS, ...Object.keys(CAUSES)].filter((reason) => reasonLabel(reason) === reason)).toEqual([]);
  expect(reasonNames().filter((reason) => ![...APPROVALS, ...REFUSAL_CODES].some((one) => one === reason))).toEqual([]);
  const names = reasonNames().map(reasonLabel);
  expect(names.filter((name) => !/^[a-z][a-z ,:-]{5,30}$/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

it('others keep their identifier', () => {
  expect([permissionLabel('new:thing'), roleLabel('new'), reasonLabel('new')]).toEqual(['new:thing', 'new', 'new']);
  expect([namedPermission('new:thing'), namedRole('constructor')]).toEqual(['new:thing', 'constructor']);
});

it('a list has the identifier after the English name, a sentence has the name alone', () => {
  expect(namedRole('auditeur')).toBe('Auditor (auditeur)');
  expect(namedPermission('journal:lire')).toBe('“Read the logs”');
});

it.each([
  ['It needs journal:lire.', 'It needs “Read the logs”.'],
  ['It needs "plans:administrer" now.', 'It needs “Manage plans” now.'],
  ['At https://a.example: 12:30, constructor:name.', 'At https://a.example: 12:30, constructor:name.'],
])('%s', (sentence, english) => {
  expect(inEnglish(sentence)).toBe(english);
});

it.each(['constructor', 'toString', '__proto__', ''])('the name %j, which every object has, is no role', (name) => {
  const named = [roleLabel, permissionLabel, reasonLabel, namedRole, namedPermission].map((label) => label(name));
  expect(named).toEqual(Array(5).fill(name));
});

it('a role within a project is named with it', () => {
  expect(scopedRoleLabel({ role: 'administrateur-de-projet', project: 'apollo' })).toBe(
    'Project administrator · apollo',
  );
  expect(scopedRoleLabel({ role: 'auditeur', project: null })).toBe('Auditor');
});

it('a sentence in English has no identifier of a permission', () => {
  for (const permission of PERMISSIONS)
    expect(inEnglish(`Needs ${permission}, please.`)).toBe(`Needs “${permissionLabel(permission)}”, please.`);
});

it('a sentence in English names a role only where it says that it is one', () => {
  for (const role of ROLE_NAMES) {
    expect(inEnglish(`Grant the role ${role} first.`)).toBe(`Grant the role ${roleLabel(role)} first.`);
    expect(inEnglish(`Grant ${role} first.`)).toBe(`Grant ${role} first.`);
  }
  expect(inEnglish('The roles auditeur and another.')).toBe('The roles Auditor and another.');
});

it('no cause of a refusal and no fix has an identifier of a role or a permission', () => {
  const identifiers = [...PERMISSIONS, ...ROLE_NAMES];
  const sentences = Object.values(CAUSES).flat();
  expect(sentences.length).toBeGreaterThan(50);
  expect(sentences.filter((sentence) => identifiers.some((one) => sentence.includes(one)))).toEqual([]);
});

it('a sentence that names no role and no permission is unchanged, whatever it contains', () => {
  const words = string({ unit: constantFrom(...Array.from('abz :-"(),.é\n')), maxLength: 40 });
  assert(
    property(words, (sentence) => {
      expect(inEnglish(sentence)).toBe(sentence);
    }),
  );
});
