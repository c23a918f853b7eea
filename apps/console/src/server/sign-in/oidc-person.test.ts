import { describe, expect, it } from 'vitest';
import { personOf } from './oidc-sign-in.ts';

describe('a person', () => {
  it('is named by the subject and described by name and address', () => {
    expect(personOf({ sub: 'ada', name: 'Ada Lovelace', email: 'ada@example.com' }, 'sub')).toEqual({
      subject: 'ada',
      displayName: 'Ada Lovelace',
      email: 'ada@example.com',
    });
  });
  it('has no address where the claim has the form of none', () => {
    expect(personOf({ sub: 'ada', email: 'ask the desk' }, 'sub')?.email).toBeNull();
  });
  it('may be named by another claim', () => {
    expect(personOf({ sub: '7', employee: 'ada' }, 'employee')?.subject).toBe('ada');
  });
  it.each([undefined, null, 7, '', ' ada', 'a\nb', 'a\u0000', 'x'.repeat(256), ['ada'], { name: 'ada' }])(
    'is nobody where the claim is %j',
    (sub) => {
      expect(personOf({ sub }, 'sub')).toBeNull();
    },
  );
  it.each([7, 'a\nb', '', 'x'.repeat(400)])('is not described by %j', (value) => {
    expect(personOf({ sub: 'ada', name: value, email: value }, 'sub')).toEqual({
      subject: 'ada',
      displayName: null,
      email: null,
    });
  });
  it('is not named by what every object has', () => {
    expect(personOf({ sub: 'ada' }, 'toString')).toBeNull();
  });
});
