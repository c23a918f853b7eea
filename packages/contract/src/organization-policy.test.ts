import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isOrganizationName,
  isOrganizationSlug,
  parseOrganizationPolicy,
  parseValidity,
} from './organization-policy.ts';

const WHOLE = {
  models: { providers: ['local', 'eu-west'] },
  tools: { allow: ['read_file'], ask: ['write_file'], exclude: ['shell'] },
  secrets: { response: 'mask', entropy: false, allow: ['0'.repeat(64)] },
  commands: { location: 'gateway' },
};
const faultsOf = (document: unknown) => {
  const parsed = parseOrganizationPolicy(document);
  return 'faults' in parsed ? parsed.faults : [];
};

describe('an organization policy document', () => {
  it('is returned unchanged', () => {
    expect(parseOrganizationPolicy(WHOLE)).toEqual({ policy: WHOLE });
  });
  // workstation-4
  it('may leave out every member: what is absent imposes nothing', () => {
    for (const document of [{}, { tools: {} }, { tools: { exclude: [] } }, { models: {} }, { secrets: {} }]) {
      expect(parseOrganizationPolicy(document)).toEqual({ policy: document });
    }
  });
  it.each([
    ['', null],
    ['', []],
    ['', 'x'],
    ['', 7],
    ['', { budget: 7 }],
    ['tools', { tools: { permit: ['x'] } }],
    ['models', { models: { providers: ['a'], default: 'a' } }],
    ['models.providers', { models: { providers: 'a' } }],
    ['tools.allow.0', { tools: { allow: [7] } }],
    ['tools.allow.1', { tools: { allow: ['a', ''] } }],
    ['tools.ask.0', { tools: { ask: ['a\nb'] } }],
    ['tools.ask.0', { tools: { ask: ['x'.repeat(201)] } }],
    ['secrets.response', { secrets: { response: 'shout' } }],
    ['secrets.entropy', { secrets: { entropy: 'yes' } }],
    ['secrets.allow.0', { secrets: { allow: ['hunter2'] } }],
    ['secrets.allow.0', { secrets: { allow: ['A'.repeat(64)] } }],
    ['secrets.allow.0', { secrets: { allow: ['0'.repeat(63)] } }],
    ['secrets.allow.0', { secrets: { allow: ['0'.repeat(65)] } }],
    ['secrets.allow.0', { secrets: { allow: [`${'0'.repeat(64)}\n`] } }],
    ['tools.ask.0', { tools: { ask: ['half of a pair \ud800'] } }],
    ['tools', { tools: null }],
    ['commands.location', { commands: { location: 'elsewhere' } }],
    ['commands', { commands: { run: 'gateway' } }],
  ])('is refused with the path of the fault (%s): %j', (path, document) => {
    expect(faultsOf(document).map((fault) => fault.path)).toContain(path);
    for (const fault of faultsOf(document)) expect(fault.reason).not.toBe('');
  });
  it('names the unknown member', () => {
    expect(faultsOf({ tools: { permit: [] } })[0]?.reason).toContain('permit');
  });
  it.each([
    [undefined, 'is missing'],
    [null, 'must be of type object'],
    [{ budget: 7 }, 'must not hold "budget": this member is not known'],
    [{ budget: 7, z: 1 }, 'must not hold "budget", "z": these members are not known'],
    [{ tools: { allow: [7] } }, 'must be of type string'],
    [{ secrets: { response: 'shout' } }, 'must be one of block, mask, alert'],
    [{ tools: { allow: Array.from({ length: 1001 }, () => 'a') } }, 'must have at most 1000 entries'],
  ])('explains the fault in a sentence: %j', (document, reason) => {
    expect(faultsOf(document).map((fault) => fault.reason)).toEqual([reason]);
  });
  it('has a bounded number of entries', () => {
    expect(faultsOf({ tools: { allow: Array.from({ length: 1001 }, (_, n) => `tool-${n}`) } })).toHaveLength(1);
  });
  it('accepts only the three members, whatever others it contains', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (member, value) => {
        if (['models', 'tools', 'secrets'].includes(member)) return;
        const document = JSON.parse(`{${JSON.stringify(member)}: ${JSON.stringify(value)}}`);
        expect(faultsOf(document)).not.toEqual([]);
      }),
      { verbose: true },
    );
  });
});

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
  });
  it('has a name that can be read', () => {
    for (const name of ['Acme', 'Société Générale', 'x'.repeat(200)]) expect(isOrganizationName(name)).toBe(true);
    for (const name of ['', '   ', 'a\u0000b', 'a\nb', 'x'.repeat(201)]) expect(isOrganizationName(name)).toBe(false);
  });
});
