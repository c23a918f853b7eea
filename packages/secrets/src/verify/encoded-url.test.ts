import { describe, expect, it } from 'vitest';
import { createScanner } from '../stream/scanner.ts';
import { dice, draw } from '../testing/specimen.ts';

const scanner = createScanner({ key: Buffer.from('encoded addresses') });
const password = draw('A-Za-z0-9', 20, dice('encoded addresses'));
const base64 = (text: string) => Buffer.from(text).toString('base64');
const found = (text: string) => scanner.scanText(text).map(({ rule, start, end }) => [rule, text.slice(start, end)]);

describe('an address in base64', () => {
  it.each([
    `postgres://svc:${password}@db.internal:5432/app`,
    `postgresql://svc:${password}@db.internal/app?sslmode=require`,
    `mysql://root:${password}@10.0.0.1/x`,
    `mongodb+srv://svc:${password}@c0.internal/${'x'.repeat(300)}`,
    `redis://:${password}@cache.internal:6379/0`,
    `amqps://svc:${password}@mq.internal//`,
  ])('is found with its password: %s', (address) => {
    for (const value of [base64(address), base64(`${address}\n`), Buffer.from(address).toString('base64url')]) {
      const [[rule, rest] = []] = found(`data:\n  DATABASE_URL: ${value}\nkind: Secret\n`);
      expect(rule).toBe('base64-url-password');
      expect(value.endsWith(rest ?? ' ')).toBe(true);
      expect(Buffer.from(value.slice(0, -(rest ?? '').length), 'base64').toString()).toMatch(/^[a-z+]+:\/?\/?$/);
    }
  });

  it.each([
    'postgres://db.internal:5432/app',
    'postgres://svc@db.internal:5432/app',
    'postgres://user:password@localhost:5432/app',
    'redis://cache.internal:6379/0',
    'https://docs.internal/postgres',
  ])('is nothing without one: %s', (address) => {
    expect(found(`data:\n  DATABASE_URL: ${base64(address)}\n`)).toEqual([]);
  });
});

it('an address in base64 is in its own letters, and no part of a longer word', () => {
  const value = base64(`postgres://svc:${password}@db.internal:5432/app`);
  expect(found(`DATABASE_URL: ${value}`)).toHaveLength(1);
  for (const text of [value.toLowerCase(), value.toUpperCase(), `x${value}`, `word-${value}`])
    expect(found(`see ${text}`).filter(([rule]) => rule === 'base64-url-password')).toEqual([]);
});

describe('the configuration of a container registry in base64', () => {
  const auths = { 'registry.internal': { username: 'svc', password, auth: base64(`svc:${password}`) } };

  it.each([undefined, 2, 4, '\t'])('is found whole, indented by %j', (indentation) => {
    const value = base64(JSON.stringify({ auths }, null, indentation));
    expect(found(`  .dockerconfigjson: ${value}\n`)).toEqual([['registry-configuration', value]]);
  });
});
