import { describe, expect, it } from 'vitest';
import { dice, draw } from '../../testing/specimen.ts';
import { ask } from '../../testing/view.ts';
import { FOUND, MORE, NO } from '../view.ts';
import { checkNkeySeed } from './nkey.ts';

const seed = `SU${draw('A-Z2-7', 56, dice('nkey'))}`;

describe('checkNkeySeed', () => {
  it.each([
    `nkey: ${seed}`,
    `nkey_seed = "${seed}"`,
    `nkey ${seed.replace('SU', 'SA')}`,
    `NKEY=${seed.replace('SU', 'SO')}`,
  ])('finds a seed of any role: %s', (text) => {
    expect(ask(checkNkeySeed, 'nkey', text)).toMatchObject({
      verdict: FOUND,
      value: text.match(/S[UAO][A-Z2-7]{56}/)?.[0],
    });
  });

  it.each([
    `nkey: ${seed.replace('SU', 'SZ')}`,
    `nkey: ${seed.slice(1)}`,
    `nkey: ${seed}A`,
    `nkey: S${'U'.repeat(57)}`,
    `nkey: ${'far '.repeat(13)}${seed}`,
    `monkey: ${seed}`,
    'nkey',
  ])('is nothing: %s', (text) => {
    expect(ask(checkNkeySeed, 'nkey', text).verdict).toBe(NO);
  });

  it('waits, and delays the seed', () => {
    const { verdict, view } = ask(checkNkeySeed, 'nkey', `nkey: ${seed.slice(0, 30)}`, false);
    expect([verdict, view.hold]).toEqual([MORE, 6]);
  });
});
