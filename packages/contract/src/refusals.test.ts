import { assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CAUSES } from './causes.ts';
import { envelopeOf, REFUSAL_CODES, type RefusalCode, refusal, sentenceOf, statusOf } from './refusals.ts';

const bare = (code: RefusalCode): string => sentenceOf(refusal(code));
/** Names of the places of a sentence, found by filling each with its own name. */
const placesOf = (code: RefusalCode): string[] => {
  const details = new Proxy<Record<string, string>>({}, { get: (_, name) => `{${String(name)}}` });
  return Array.from(sentenceOf({ code, details }).matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
};

describe('every refusal', () => {
  it.each(REFUSAL_CODES)('%s is an error of HTTP with a sentence', (code) => {
    expect(statusOf({ code })).toBeGreaterThanOrEqual(400);
    expect(statusOf({ code })).toBeLessThan(600);
    const filled = sentenceOf({ code, details: Object.fromEntries(placesOf(code).map((name) => [name, 'X'])) });
    expect(filled).not.toMatch(/[<>]|\s$|^\s|\n/);
  });

  it.each(REFUSAL_CODES)('%s says the same for one cause to every caller', (code) => {
    expect(envelopeOf(refusal(code))).toEqual({ error: bare(code) });
    expect(refusal(code)).toEqual({ code, details: {}, members: {}, headers: {} });
  });

  it('explains nothing about a refused proof: all say the same', () => {
    const proofs = REFUSAL_CODES.filter((code) => /^(?:key|token|account)-|^directory-absent$/.test(code));
    expect(proofs.length).toBeGreaterThan(10);
    for (const code of proofs) expect([code, statusOf({ code }), bare(code)]).toEqual([code, 401, 'Unauthorized.']);
  });

  it('does not reveal whether the matrix, a policy or an error of the policy forbade it', () => {
    for (const [start, codes] of [
      ['', ['role-missing', 'policy-forbids', 'policy-error']],
      ['execution-', ['execution-role-missing', 'execution-policy-forbids', 'execution-policy-error']],
    ] as const) {
      expect([start, new Set(codes.map(bare)).size, new Set(codes.map((code) => statusOf({ code }))).size]).toEqual([
        start,
        1,
        1,
      ]);
    }
  });

  it.each([
    'undecided',
    'unrecorded',
    'execution-undecided',
    'execution-unrecorded',
    'directory-unreachable',
    'metering-unavailable',
  ] as const)('%s can be repeated later: it is a 503 and says that nothing happened', (code) => {
    expect(statusOf({ code })).toBe(503);
    expect(bare(code)).toMatch(/was (?:refused|not run)/);
  });
});

describe('the sentence of a refusal', () => {
  it.each([
    ['endpoint-unknown', { name: 'chat' }, 'Unknown endpoint: chat'],
    ['endpoint-disabled', { name: '' }, 'Endpoint "" is disabled.'],
    ['duration-cap', { seconds: '30' }, 'The request exceeded the duration cap of 30 seconds.'],
    [
      'license-capability',
      { name: 'x' },
      'The license does not cover this request: capability "x" not included in the license.',
    ],
    ['thing-taken', { kind: 'model', field: 'slug' }, 'There is another model with this slug.'],
    ['provider-unreachable', {}, ''],
    ['endpoint-unknown', {}, 'Unknown endpoint: '],
  ] as const)('of %s with %j is %s', (code, details, sentence) => {
    expect(sentenceOf({ code, details })).toBe(sentence);
  });

  it('repeats a detail as it is, whatever it contains', () => {
    assert(
      property(string(), constantFrom('', '$&', '$1', '<name>', '<kind>', '\\'), (text, odd) => {
        const name = `${text}${odd}`;
        expect(sentenceOf({ code: 'endpoint-unknown', details: { name } })).toBe(`Unknown endpoint: ${name}`);
      }),
    );
  });

  it('fills nothing with what every object has', () => {
    const details = Object.create({ name: 'inherited' }) as Record<string, string>;
    for (const code of REFUSAL_CODES) expect(sentenceOf(refusal(code, { details: {} }))).not.toContain('function');
    expect(sentenceOf({ code: 'thing-taken', details: { ...details, kind: 'model' } })).toBe(
      'There is another model with this .',
    );
  });
});

describe('the envelope of a refusal', () => {
  it('has the sentence first and then the members', () => {
    const refused = refusal('endpoint-unknown', { details: { name: 'x' }, members: { available: ['chat'], z: 1 } });
    expect(JSON.stringify(envelopeOf(refused))).toBe('{"error":"Unknown endpoint: x","available":["chat"],"z":1}');
  });

  it('has no header and no detail in it', () => {
    const refused = refusal('sign-in-throttled', {
      details: { seconds: '7', other: 'x' },
      headers: { 'retry-after': '7' },
    });
    expect(envelopeOf(refused)).toEqual({
      error: 'Too many failed sign-ins came from this address. Try again in 7 seconds.',
    });
  });
});

describe('the cause of a refusal', () => {
  it('is known for every refusal of the decision log whose sentence does not say it', () => {
    const silent = REFUSAL_CODES.filter((code) => /^Unauthorized\.$|carries the right|could not be/.test(bare(code)));
    const decisions = silent.filter((code) => !/^(?:acts|control-plane|answer)-/.test(code));
    expect(decisions.filter((code) => !(code in CAUSES))).toEqual([]);
  });

  it.each(Object.entries(CAUSES))('of %s is a refusal’s, with a fix, both in sentences', (code, [cause, fix]) => {
    expect(REFUSAL_CODES).toContain(code);
    for (const text of [cause, fix]) expect(text).toMatch(/^[A-Z`][^]*\.$/);
    expect(fix).not.toBe(cause);
  });
});
