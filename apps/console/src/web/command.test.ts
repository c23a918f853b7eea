import { describe, expect, it } from 'vitest';
import { type Command, matching } from './palette.tsx';

const command = (label: string, words = '', note = ''): Command => ({
  label,
  keywords: words,
  note,
  run: () => undefined,
});
const ALL = [
  command('Users'),
  command('Create a user', 'add new account'),
  command('Usage'),
  command('Verify the log', 'chain tampered'),
  command('Grant a role', 'new administrator auditor', 'Policy'),
  command('Policy'),
];
const found = (typed: string) => matching(ALL, typed).map(({ label }) => label);

describe('the text typed into the palette', () => {
  it.each([
    ['', ALL.map(({ label }) => label)],
    ['   ', ALL.map(({ label }) => label)],
    ['us', ['Users', 'Usage', 'Create a user']],
    ['USER', ['Users', 'Create a user']],
    ['create user', ['Create a user']],
    ['user create', ['Create a user']],
    ['new', ['Create a user', 'Grant a role']],
    ['administrator', ['Grant a role']],
    ['tampered', ['Verify the log']],
    ['policy', ['Policy', 'Grant a role']],
    ['ser', []],
    ['user xyz', []],
    ['<>&"', ALL.map(({ label }) => label)],
  ])('%j finds its commands, best first', (typed, labels) => {
    expect(found(typed)).toEqual(labels);
  });
  it('changes nothing of the list', () => {
    const before = [...ALL];
    matching(ALL, 'user');
    expect(ALL).toEqual(before);
  });
});
