import { describe, expect, it } from 'vitest';
import { dice, draw } from '../../testing/specimen.ts';
import { ask } from '../../testing/view.ts';
import { FOUND, MORE, NO } from '../view.ts';
import { checkRegistryAuth } from './registry-auth.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const value = base64(`svc:${draw('A-Za-z0-9', 20, dice('registry'))}`);

describe('checkRegistryAuth', () => {
  it.each([`{"auths":{"r.example.org":{"auth":"${value}"}}}`, `"auth" : "${value}"`])('finds %s', (text) => {
    expect(ask(checkRegistryAuth, '"auth"', text)).toMatchObject({ verdict: FOUND, value });
  });

  it.each([
    `"auth":"${base64('user:password')}"`,
    `"auth":"${base64('no colon in this one at all')}"`,
    '"auth":"basic"',
    '"auth":true',
    '"auth","x"',
    `"auth":"${base64(':')}"`,
  ])('is nothing: %s', (text) => {
    expect(ask(checkRegistryAuth, '"auth"', text).verdict).toBe(NO);
  });

  it('waits, and delays the value', () => {
    const { verdict, view } = ask(checkRegistryAuth, '"auth"', '"auth": "c3Z', false);
    expect([verdict, view.hold]).toEqual([MORE, 9]);
  });
});
