import { describe, expect, it } from 'vitest';
import { looksLikeKey, minute, oneOf, text } from './use-search-params.ts';

describe('a minute', () => {
  it.each(['2026-01-31T08:00:00Z', '2024-02-29T23:59:00Z', '9999-12-31T23:59:00Z', '0001-01-01T00:00:00Z'])(
    '%s is one',
    (value) => expect(minute(value)).toBe(true),
  );
  it.each([
    '',
    'yesterday',
    '2026-01-31',
    '2026-02-30T08:00:00Z',
    '2025-02-29T08:00:00Z',
    '2026-13-01T08:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T08:61:00Z',
    '2026-01-31T08:00:01Z',
    '2026-01-31T08:00:00+02:00',
    '0000-01-01T00:00:00Z',
    '+012026-01-31T08:00:00Z',
    "2026-01-31T08:00:00Z'--",
  ])('%s is none', (value) => expect(minute(value)).toBe(false));
});

describe('a text that is searched for', () => {
  it.each([
    'ada',
    'Ada Lovelace',
    'session-0',
    '01926f0e-7c1a-7def-8123-456789abcdef',
    'a'.repeat(200),
    'endpoint:chat',
    'sk-8',
    '49f68a5c8493ec2c0bf489821c21fc3b8d1f0ab14c2a8b1f0f6d3d1e2c4b5a69',
    'task-force-of-the-research-team',
  ])('%.40s is one', (value) => expect([text(value), looksLikeKey(value)]).toEqual([true, false]));
  it('is at most as long as the API takes', () => expect(text('a'.repeat(201))).toBe(false));
  it.each([
    `gwk_${'0a'.repeat(24)}`,
    `x gwk_${'0a'.repeat(10)}`,
    `sk-${'Ab1'.repeat(8)}`,
    `ghp_${'Ab1'.repeat(12)}`,
    `github_pat_${'A'.repeat(22)}`,
    `glpat-${'a'.repeat(20)}`,
    `AKIA${'A1'.repeat(8)}`,
    `xoxb-${'1'.repeat(12)}`,
    `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x`,
    '-----BEGIN PRIVATE KEY-----',
    'Bearer 0123456789',
  ])('%.12s… is a key, and none', (value) => expect([text(value), looksLikeKey(value)]).toEqual([false, true]));
});

it('a choice is one of its values, and nothing that every object has', () => {
  const outcome = oneOf(['granted', 'refused']);
  expect(['granted', 'refused', 'Granted', '', 'toString', 'length'].map(outcome)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});
