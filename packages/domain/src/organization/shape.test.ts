import { RESERVED_SEGMENTS } from '@gateway/contract';
import { describe, expect, it } from 'vitest';
import { isOrganizationName, isOrganizationSlug, parseValidity } from './shape.ts';

describe('a validity period', () => {
  it('may be open at either end', () => {
    expect(parseValidity({})).toEqual({ validity: { validFrom: null, validUntil: null } });
    expect(parseValidity({ validFrom: null, validUntil: '2030-01-01T00:00:00Z' })).toEqual({
      validity: { validFrom: null, validUntil: new Date('2030-01-01T00:00:00.000Z') },
    });
  });
  it('may have both ends', () => {
    const bounds = { validFrom: '2029-12-31T23:59:59.999Z', validUntil: '2030-01-01T00:00:00Z' };
    expect(parseValidity(bounds)).toEqual({
      validity: { validFrom: new Date(bounds.validFrom), validUntil: new Date(bounds.validUntil) },
    });
  });
  it.each(['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'])('may have an end at %s', (text) => {
    expect(parseValidity({ validUntil: text })).toEqual({
      validity: { validFrom: null, validUntil: new Date(text) },
    });
  });
  it('keeps the instant, in any offset', () => {
    expect(parseValidity({ validFrom: '2030-01-01T02:00:00+02:00' })).toEqual({
      validity: { validFrom: new Date('2030-01-01T00:00:00.000Z'), validUntil: null },
    });
  });
  it.each([
    ['validFrom', { validFrom: 'tomorrow' }],
    ['validFrom', { validFrom: 7 }],
    ['validUntil', { validUntil: '2030-13-01T00:00:00Z' }],
    ['validUntil', { validUntil: '2030-01-01' }],
    ['validUntil', { validUntil: '0000-12-31T23:59:59.999Z' }],
    ['validUntil', { validUntil: '9999-12-31T23:59:59-00:01' }],
    ['validUntil', { validFrom: '2030-01-01T00:00:00Z', validUntil: '2029-01-01T00:00:00Z' }],
    ['validUntil', { validFrom: '2030-01-01T00:00:00Z', validUntil: '2030-01-01T00:00:00Z' }],
  ])('is refused, with the bound named: %s %j', (path, bounds) => {
    expect(parseValidity(bounds)).toMatchObject({ faults: [{ path }] });
  });
});

describe('an organization', () => {
  it('has a slug that fits a path and a variable', () => {
    for (const slug of ['acme', 'A1', 'a.b_c-d', '9', 'x'.repeat(64)]) expect(isOrganizationSlug(slug)).toBe(true);
    for (const slug of ['', 'a b/c', '-a', '.', 'é', 'a\n', 'x'.repeat(65)])
      expect(isOrganizationSlug(slug)).toBe(false);
    // It may look like a reserved first segment: they are in no common path.
    expect(RESERVED_SEGMENTS.filter(isOrganizationSlug)).toEqual(['v', 'ide']);
  });
  it('has a name that can be read', () => {
    for (const name of ['Acme', 'Société Générale', 'x'.repeat(200)]) expect(isOrganizationName(name)).toBe(true);
    for (const name of ['', '   ', 'a\u0000b', 'a\nb', 'x'.repeat(201)]) expect(isOrganizationName(name)).toBe(false);
  });
});
