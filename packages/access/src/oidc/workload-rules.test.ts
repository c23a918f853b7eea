import { describe, expect, it } from 'vitest';
import { WORKLOAD_RULES } from '../testing/workloads.ts';
import { parseWorkloadRules } from './workload-rules.ts';
import { parseKeySet } from './workloads.ts';

const { github, gitlab, kubernetes } = WORKLOAD_RULES;
const parse = (...workloads: readonly object[]) => parseWorkloadRules(JSON.stringify({ workloads }));

describe('a file of rules', () => {
  it('has the rules of the manual, with an hour as the default age', () => {
    expect(parse(github, gitlab, kubernetes)).toMatchObject({
      rules: [{ maximumAgeSeconds: 900 }, { maximumAgeSeconds: 3600 }, { keysFile: 'cluster-1-keys.json' }],
    });
    expect(parse()).toEqual({ rules: [] });
  });

  it.each([
    ['{', 'is not JSON'],
    ['[]', 'the file must be of type object'],
    ['{}', 'workloads must be a list'],
    ['{"workloads":[],"more":1}', 'more is not known here'],
  ])('that is invalid is reported: %s', (content, fault) => {
    const parsed = parseWorkloadRules(content);
    expect('faults' in parsed && parsed.faults.join()).toContain(fault);
  });

  it.each([
    [{ ...github, name: 'Git Hub' }, 'entry 1 (Git Hub): name must be'],
    [{ ...github, issuer: 'http://token.example' }, 'entry 1 (github): issuer does not start with https://'],
    [{ ...github, audience: undefined }, 'entry 1 (github): audience'],
    [{ ...github, claims: {} }, 'claims must name at least one claim'],
    [{ ...github, claims: { a: 7 } }, 'claims.a must be a pattern or a list of patterns'],
    [{ ...github, claims: { a: '*a*b*c*' } }, 'claims.a must'],
    [{ ...github, claims: { a: [] } }, 'claims.a must'],
    [{ ...github, subject: 'alice' }, 'subject must begin with workload:github:'],
    [{ ...github, subject: 'workload:gitlab:{sub}' }, 'subject must begin with workload:github:'],
    [{ ...github, subject: 'workload:github:' }, 'subject must name something'],
    [{ ...github, subject: 'workload:github:{a' }, 'subject holds a brace'],
    [{ ...github, subject: 'workload:github:{a}{b}' }, 'subject must have ":" or "@" behind'],
    [{ ...github, subject: 'workload:github:{a} x' }, 'subject must contain no spaces'],
    [{ ...github, maximumAgeSeconds: 5 }, 'maximumAgeSeconds must be at least 60'],
    [{ ...github, maximumAge: 5 }, 'maximumAge is not known here'],
    [{ ...kubernetes, caFile: 'x' }, 'entry 1 (cluster-1): caFile is of no use beside keysFile'],
  ])('names the entry and what is wrong with it: %j', (entry, fault) => {
    const parsed = parse(entry);
    expect('faults' in parsed ? parsed.faults.join('\n') : 'no fault').toContain(fault);
  });

  it('gives a name to one issuer alone, and an issuer one source of keys', () => {
    expect(parse(github, { ...gitlab, name: 'github', subject: 'workload:github:{sub}' })).toEqual({
      faults: [expect.stringContaining('entry 2 (github): name belongs to another issuer') as string],
    });
    expect(parse(github, { ...github, keysFile: 'keys.json' })).toEqual({
      faults: [expect.stringContaining('entry 2 (github): keysFile and caFile must be those') as string],
    });
    expect(parse(github, { ...github, audience: 'another' })).toHaveProperty('rules');
  });
});

describe('a file of keys', () => {
  it.each([
    ['{', 'is not JSON'],
    ['{}', 'contains no JSON Web Key Set'],
    ['{"keys":[]}', 'must contain a key'],
    ['{"keys":[{"kty":"RSA","n":"x","e":"AQAB","d":"x"}]}', 'must contain public keys only'],
    ['{"keys":[{"kty":"oct","k":"x"}]}', 'must contain no shared secret'],
  ])('%s: %s', (content, fault) => {
    const parsed = parseKeySet(content);
    expect('fault' in parsed && parsed.fault).toContain(fault);
  });
});
