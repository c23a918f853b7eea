import { isAccountKey, isWeakAccountKey } from '@gateway/contract';
import { describe, expect, it } from 'vitest';
import { digestOfAccountKey, newAccountKey } from './account-key.ts';

describe('a new account key', () => {
  it('has the published form and is not weak', () => {
    const { key, lastFour } = newAccountKey();
    expect(isAccountKey(key)).toBe(true);
    expect(isWeakAccountKey(key)).toBe(false);
    expect(key.endsWith(lastFour)).toBe(true);
    expect(lastFour).toHaveLength(4);
  });
  it('is another one every time', () => {
    expect(new Set(Array.from({ length: 100 }, () => newAccountKey().key)).size).toBe(100);
  });
  // roles-2
  it('is identified by its SHA-256 digest', () => {
    const { key, digest } = newAccountKey();
    expect(digestOfAccountKey(key)).toEqual(digest);
    // printf gwk_ | sha256sum
    expect(digestOfAccountKey('gwk_').toString('hex')).toBe(
      '06785907118b34e1f49fea0936cd345a781757ff4eda33cb1dcb249f0c1a20a1',
    );
    expect(digest).toHaveLength(32);
  });
});
