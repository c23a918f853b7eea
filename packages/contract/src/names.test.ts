import { assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BRAND,
  BUDGET_ALERT_AUTHOR,
  isReservedName,
  PROVISIONING_AUTHOR,
  RESERVED_SEGMENTS,
  SESSION_HEADER,
  SESSION_STANDING_HEADER,
  SHARED_PAIR_AUTHOR,
  WORKLOAD_PREFIX,
} from './author.ts';
import { email } from './fields.ts';
import { ROLE_ALIASES, ROLE_NAMES, roleNamed } from './roles.ts';

describe('a name that an account may not have', () => {
  it.each([SHARED_PAIR_AUTHOR, PROVISIONING_AUTHOR, BUDGET_ALERT_AUTHOR])(
    'is that of an author of the product: %s',
    (name) => {
      expect(isReservedName(name)).toBe(true);
      for (const other of [`${name}s`, ` ${name}`, name.slice(1), name.slice(0, -1)])
        expect(isReservedName(other)).toBe(false);
    },
  );

  it('is any that begins as a workload’s does', () => {
    assert(
      property(string(), (rest) => {
        expect(isReservedName(`${WORKLOAD_PREFIX}${rest}`)).toBe(true);
        expect(isReservedName(`x${WORKLOAD_PREFIX}${rest}`)).toBe(false);
      }),
    );
    for (const name of ['workload', 'workloads:a', 'Workload-1', '', 'toString'])
      expect(isReservedName(name)).toBe(false);
  });
});

describe('an e-mail address', () => {
  it.each(['ada@example.com', 'ada@localhost', 'jörg@müller.example', 'a+b@[::1]'])('is %s', (text) => {
    expect(email.safeParse(text).success).toBe(true);
  });
  it.each(['', 'ada', '@example.com', 'ada@', 'a@b@c', 'ada @example.com', 'ada@x\nroot@y', `a@${'x'.repeat(319)}`])(
    'is not %j',
    (text) => {
      expect(email.safeParse(text).success).toBe(false);
    },
  );
});

describe('the headers of a session', () => {
  it('are names as Node.js reports them, in lower case, and differ', () => {
    for (const header of [SESSION_HEADER, SESSION_STANDING_HEADER]) expect(header).toMatch(/^x-[a-z-]+$/);
    expect(new Set([SESSION_HEADER, SESSION_STANDING_HEADER, BRAND]).size).toBe(3);
  });
});

describe('a reserved first segment', () => {
  it('is one that can be written in a path without an escape', () => {
    for (const segment of RESERVED_SEGMENTS) expect(encodeURIComponent(segment)).toBe(segment);
  });
});

describe('the name of a role', () => {
  it('is its identifier or its English name', () => {
    for (const role of ROLE_NAMES) expect([roleNamed(role), roleNamed(ROLE_ALIASES[role])]).toEqual([role, role]);
  });

  it('is one role’s alone', () => {
    const names = [...ROLE_NAMES, ...Object.values(ROLE_ALIASES)];
    expect(new Set(names).size).toBe(names.length);
  });

  it('is nothing else, also no name of every object', () => {
    const near = constantFrom(
      'Auditor',
      'AUDITEUR',
      'auditor ',
      ' auditeur',
      'admin',
      '',
      'toString',
      '__proto__',
      'constructor',
    );
    assert(
      property(near, string(), (name, rest) => {
        expect(roleNamed(name)).toBeNull();
        expect(roleNamed(`auditor-${rest}`)).toBeNull();
      }),
    );
  });
});
