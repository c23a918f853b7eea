import { canaries } from '@gateway/secrets/testing';
import { expect, it } from 'vitest';
import { recordable } from './records.ts';

it.each([
  ['bash', 256, 'bash'],
  ['a'.repeat(10), 4, 'aaaa'],
  ['🔒'.repeat(10), 6, '🔒🔒🔒'],
  [`a${'🔒'.repeat(10)}`, 6, 'a🔒🔒'],
  ['0198b1c0-0000-7000-8000-000000000001', 256, '0198b1c0-0000-7000-8000-000000000001'],
])('%j within %i units is %j', (text, longest, kept) => {
  expect(recordable(text, longest)).toBe(kept);
});
it('masks what looks like a secret before it is cut', () => {
  for (const { text, value } of canaries('recordable')) {
    const kept = recordable(`run ${text}`, 256);
    expect(kept).not.toContain(value);
    expect(kept.isWellFormed()).toBe(true);
  }
});
