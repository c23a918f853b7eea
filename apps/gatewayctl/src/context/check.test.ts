import { ROLE_ALIASES, ROLE_NAMES } from '@gateway/contract';
import { canaries } from '@gateway/secrets/testing';
import { assert, integer, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkEmail,
  checkExpiry,
  checkLine,
  checkName,
  checkOrganizationName,
  checkOrganizationSlug,
  checkProject,
  checkReason,
  checkRole,
  checkSession,
  checkText,
  checkUsername,
} from './check.ts';
import { WrongUsage } from './context.ts';

const NOW = Date.parse('2026-06-01T00:00:00Z');
const SECRET = canaries('checked').find(({ rule }) => rule === 'jwt')?.value ?? '';

/** The message with which a check refuses a value; null for none. */
function refused(check: () => unknown): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (!(error instanceof WrongUsage)) throw error;
    return error.message;
  }
}

describe('the end of a key', () => {
  it.each([
    ['2027-01-31', '2027-01-31T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['2027-01-31T08:00Z', '2027-01-31T08:00:00.000Z'],
    ['2027-01-31T08:00:59+05:30', '2027-01-31T02:30:59.000Z'],
    ['2027-12-31T23:59:59-01:00', '2028-01-01T00:59:59.000Z'],
    ['2026-06-01T00:00:01Z', '2026-06-01T00:00:01.000Z'],
  ])('%s is %s', (text, at) => {
    expect(checkExpiry(text, NOW)).toBe(at);
  });

  it.each([
    '2027-02-29',
    '2027-02-30',
    '2027-04-31T08:00:00Z',
    '2027-06-31T00:00+02:00',
    '2027-13-01',
    '2027-00-10',
    '2027-01-00',
    '2027-01-32',
    '2027-01-31T24:00Z',
    '2027-01-31T08:60Z',
    '2027-01-31T08:00',
    '2027-01-31 08:00Z',
    '27-01-31',
    '31.01.2027',
    'tomorrow',
    '',
    '2027-01-31\n',
  ])('%j is no instant of the calendar', (text) => {
    expect(refused(() => checkExpiry(text, NOW))).toBe(
      `"${text}" is not an instant such as 2027-01-31 or 2027-01-31T08:00:00Z.`,
    );
  });

  it('is in the future', () => {
    for (const text of ['2026-06-01', '2026-06-01T00:00:00Z', '2026-06-01T01:00:00+02:00', '1999-12-31']) {
      expect(refused(() => checkExpiry(text, NOW))).toBe(`The expiry ${text} is in the past.`);
    }
  });

  it('may be any day', () => {
    assert(
      property(integer({ min: 1, max: 400_000 }), (days) => {
        const at = new Date(NOW + days * 86_400_000).toISOString();
        expect(checkExpiry(at.slice(0, 10), NOW)).toBe(at);
      }),
    );
  });
});

describe('a role', () => {
  it('is found by its identifier and by its alias', () => {
    for (const role of ROLE_NAMES) expect([checkRole(role), checkRole(ROLE_ALIASES[role])]).toEqual([role, role]);
  });

  it('that does not exist is answered with all that do', () => {
    const message = refused(() => checkRole('admin'));
    for (const name of [...ROLE_NAMES, ...Object.values(ROLE_ALIASES)]) expect(message).toContain(name);
    for (const name of ['', 'Auditor', 'toString']) expect(refused(() => checkRole(name))).toMatch(/^There is no role/);
  });

  it('has a project where it needs one, and nowhere else', () => {
    expect(checkProject('administrateur-de-projet', 'north')).toBe('north');
    expect(checkProject('auditeur', undefined)).toBeNull();
    expect(refused(() => checkProject('administrateur-de-projet', undefined))).toMatch(/add --project NAME\.$/);
    expect(refused(() => checkProject('administrateur-de-projet', 'a\nb'))).toMatch(/^The project must be one line/);
    for (const role of ['auditeur', 'utilisateur-standard', 'administrateur-d-instance'] as const) {
      expect(refused(() => checkProject(role, 'north'))).toMatch(/leave --project out\.$/);
    }
  });
});

describe('words that are kept', () => {
  it('are one line of the allowed length', () => {
    expect(checkName('x'.repeat(255), 'name')).toHaveLength(255);
    for (const value of ['', 'x'.repeat(256), 'a\nb', 'a\u0000', '\u001b[1m']) {
      expect(refused(() => checkName(value, 'name'))).toBe('The name must be one line of 1 to 255 characters.');
    }
    expect(checkReason('x'.repeat(300))).toHaveLength(300);
    expect(refused(() => checkReason('x'.repeat(301)))).toBe('The reason must be one line of 1 to 300 characters.');
    expect(refused(() => checkText('  ', 'author'))).toBe('The author must not be blank.');
  });

  it('never contain a secret, and the message does not repeat it', () => {
    for (const check of [
      () => checkText(`key ${SECRET}`, 'reason'),
      () => checkLine(`key ${SECRET}`, 'display name', 500),
      () => checkOrganizationName(`key ${SECRET}`),
    ]) {
      const message = refused(check);
      expect(message).toMatch(/holds what looks like a secret/);
      expect(message).not.toContain(SECRET);
    }
  });

  it('that lists show have nothing invisible, and no blank around them', () => {
    expect(checkLine('Zoë O’Neil 漢', 'display name', 200)).toBe('Zoë O’Neil 漢');
    for (const value of [' a', 'a ', 'a\u200bb', '\u202eb', 'a\u3164', '', 'x'.repeat(201)]) {
      expect(refused(() => checkLine(value, 'display name', 200))).toMatch(
        /^The display name must be one visible line/,
      );
    }
  });
});

describe('a name', () => {
  it('of an account is none of the product', () => {
    expect(checkUsername('alice')).toBe('alice');
    for (const name of ['scim', 'shared-pair', 'workload:ci']) {
      expect(refused(() => checkUsername(name))).toMatch(/is reserved/);
    }
  });

  it('of a session may be anything that can be revoked', () => {
    for (const session of ['s', ' ', 'a\nb', '\u202e', 'x'.repeat(800)]) expect(checkSession(session)).toBe(session);
    for (const session of ['', 'x'.repeat(801), 'a\0', '\ud800']) {
      expect(refused(() => checkSession(session))).toBe('The session must have 1 to 800 characters.');
    }
  });

  it('of an organization is a slug beside a readable name', () => {
    expect([checkOrganizationSlug('acme-1'), checkOrganizationName('Acme Inc.')]).toEqual(['acme-1', 'Acme Inc.']);
    for (const slug of ['', '-a', 'a b', 'é'])
      expect(refused(() => checkOrganizationSlug(slug))).toMatch(/is not a slug/);
    for (const name of ['', ' ', 'a\nb', 'x'.repeat(201)]) {
      expect(refused(() => checkOrganizationName(name))).toMatch(/^The name must be one line/);
    }
  });

  it('of a mailbox has one @ and no blank', () => {
    expect(checkEmail('alice@example.com')).toBe('alice@example.com');
    for (const email of ['alice', '@', 'a@', '@b', 'a@b@c', 'a b@c', 'a@b\n', '']) {
      expect(refused(() => checkEmail(email))).not.toBeNull();
    }
  });

  it('is returned as it was given, or refused as wrong usage', () => {
    assert(
      property(string({ unit: 'grapheme' }), (value) => {
        for (const check of [checkName, checkText]) {
          const message = refused(() => expect(check(value, 'name')).toBe(value));
          expect(message ?? 'The name').toMatch(/^The name/);
        }
      }),
    );
  });
});
