import { describe, expect, it } from 'vitest';
import { dice, draw } from '../../testing/specimen.ts';
import { ask } from '../../testing/view.ts';
import { FOUND, MORE, NO } from '../view.ts';
import { checkBasic, checkBearer, checkUserOption } from './command-line.ts';

const roll = dice('authorization');
const opaque = draw('A-Za-z0-9_-', 40, roll);
const hex = draw('0-9a-f', 40, roll);
const password = draw('A-Za-z0-9', 16, roll);
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('checkBearer', () => {
  it.each([opaque, hex, '0f8fad5b-d9cb-469f-a165-70867728950e'])('finds an opaque token: %s', (token) => {
    expect(ask(checkBearer, 'bearer ', `Authorization: Bearer ${token}`)).toMatchObject({
      verdict: FOUND,
      value: token,
    });
  });

  it('leaves the full stop that ends the sentence', () => {
    expect(ask(checkBearer, 'bearer ', `use Bearer ${opaque}x.`).value).toBe(`${opaque}x`);
  });

  it('decides a long one by its beginning, and returns how it continues', () => {
    const { verdict, value, view } = ask(checkBearer, 'bearer ', `Bearer ${opaque.repeat(5)}`, false);
    expect(verdict).toBe(FOUND);
    expect(value).toHaveLength(104);
    expect(view.tail?.type).toBe('run');
  });

  it.each([
    'Bearer authentication',
    'Bearer <token>',
    'Bearer your_access_token_here',
    'Bearer xxxxxxxxxxxxxxxxxxxxxx',
    'forebearer of-many-things-to-come',
  ])('is nothing: %s', (text) => {
    expect(ask(checkBearer, 'bearer ', text).verdict).toBe(NO);
  });

  it('waits, and delays the token', () => {
    const { verdict, view } = ask(checkBearer, 'bearer ', 'Bearer abc', false);
    expect([verdict, view.hold]).toEqual([MORE, 7]);
  });
});

describe('checkBasic', () => {
  it('finds user and password in base64', () => {
    const value = base64(`svc:${password}`);
    expect(ask(checkBasic, 'basic ', `Authorization: Basic ${value}`)).toMatchObject({ verdict: FOUND, value });
  });

  it.each([
    `Basic ${base64('user:password')}`,
    `Basic ${base64('admin:admin')}`,
    'Basic understanding',
    'Basic AAAAAAAAAAAAAAAAAAAA',
    'basic authentication',
  ])('is nothing: %s', (text) => {
    expect(ask(checkBasic, 'basic ', text).verdict).toBe(NO);
  });
});

describe('checkUserOption', () => {
  it.each([
    [`curl -u svc:${password} https://h`, ' -u'],
    [`curl -usvc:${password} https://h`, ' -u'],
    [`curl -s -u "svc:${password}" https://h`, ' -u'],
    [`curl --user 'svc:${password}' https://h`, '--user '],
    [`curl -sSf https://files.internal/${'a-long-path/'.repeat(6)} -u svc:${password}`, ' -u'],
    [`smbclient //files/share -U svc%${password} -c ls`, ' -U'],
    [`smbclient //files/share -U 'ACME/svc%${password}'`, ' -U'],
    [`rpcclient --user=svc%${password} dc1`, '--user='],
    [`lftp -u svc,${password} sftp://h`, ' -u'],
    [`http -a svc:${password} GET h`, ' -a'],
    [`curl -x proxy:3128 --proxy-user svc:${password} https://h`, '--proxy-user '],
  ])('finds the password alone: %s', (text, keyword) => {
    expect(ask(checkUserOption, keyword, text)).toMatchObject({ verdict: FOUND, value: password });
  });

  it.each([
    `sort -u svc:${password} `,
    'curl -u user:password h',
    'smbclient //files/share -U svc%$PASS',
    'smbclient //files/share -U %USER%%PASSWORD%',
    'smbclient //files/share -U svc%********',
    'smbclient //files/share -U svc',
    `smbclient //files/share -U svc:${password}`,
    `sort -u svc%${password}`,
    'lftp -u svc,<password> h',
    'curl -u $USER:$PASS h',
    'curl -u user h',
    'curl -u "a:b',
    `curl -u svc:${'k7Qz9mW2'.repeat(20)} h`,
    `curl -u "svc:${password}' h"`,
    `sort -u svc:${password} # as curl does`,
  ])('is nothing: %s', (text) => {
    expect(ask(checkUserOption, ' -u', text).verdict).toBe(NO);
  });

  it('waits, and delays the password from its first letter on', () => {
    const text = `curl -u svc:${password} `;
    const from = text.indexOf(password);
    for (let cut = ' -u'.length + 4; cut < text.length; cut++) {
      const { verdict, view } = ask(checkUserOption, ' -u', text.slice(0, cut), false);
      expect([cut, verdict, view.hold]).toEqual([cut, MORE, Math.min(cut, from)]);
    }
  });
});
