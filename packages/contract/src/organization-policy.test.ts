import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseOrganizationPolicy } from './organization-policy.ts';

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
