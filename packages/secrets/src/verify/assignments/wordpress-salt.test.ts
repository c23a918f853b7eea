import { describe, expect, it } from 'vitest';
import { createScanner } from '../../scanner/scanner.ts';
import { dice, draw } from '../../testing/specimen.ts';
import { ask } from '../../testing/view.ts';
import { FOUND, MORE, NO } from '../view.ts';
import { checkWordPressSalt } from './wordpress-salt.ts';

const roll = dice('wordpress');
const salt = draw('A-Za-z0-9 !@#$%^&*()_+=<>?,.;:{}~|[`/-', 64, roll);

describe('checkWordPressSalt', () => {
  it.each([`define('AUTH_KEY', '${salt}');`, `define( 'AUTH_KEY',         '${salt}' );`])(
    'finds it whole: %s',
    (text) => {
      expect(ask(checkWordPressSalt, "auth_key'", text)).toMatchObject({ verdict: FOUND, value: salt });
    },
  );

  it.each([
    "define('AUTH_KEY', 'put your unique phrase here');",
    `define('AUTH_KEY', '${'put your unique phrase here '.repeat(3).slice(0, 64)}');`,
    `define('AUTH_KEY', '${'x'.repeat(64)}');`,
    `define('AUTH_KEY', '${salt.slice(1)}');`,
    `define('AUTH_KEY', getenv('AUTH_KEY'));`,
    `['AUTH_KEY' '${salt}']`,
  ])('is nothing: %s', (text) => {
    expect(ask(checkWordPressSalt, "auth_key'", text).verdict).toBe(NO);
  });

  it('delays the value from its beginning while the text continues', () => {
    const text = `define('AUTH_KEY', '${salt.slice(0, 20)}`;
    expect(ask(checkWordPressSalt, "auth_key'", text, false)).toMatchObject({
      verdict: MORE,
      view: { hold: text.length - 20 },
    });
  });

  it('is asked for all eight constants', () => {
    const scanner = createScanner({ key: Buffer.from('test') });
    for (const name of ['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'].flatMap((each) => [
      `${each}_KEY`,
      `${each}_SALT`,
    ])) {
      const text = `define( '${name}', '${salt}' );`;
      expect(scanner.scanText(text).map(({ start, end }) => text.slice(start, end))).toEqual([salt]);
    }
  });
});
