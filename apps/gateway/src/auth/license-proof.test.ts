import type { License } from '@gateway/access';
import { envelopeOf, statusOf } from '@gateway/contract';
import { describe, expect, it } from 'vitest';
import { licenseProof } from '../profile/license.ts';

const NOW = Date.UTC(2026, 0, 31);
const DAY = 86_400;
const license = (change: Partial<License['claims']> = {}): License => ({
  text: 'aaa.bbb.ccc',
  claims: {
    licensee: 'Acme',
    deployment: 'one',
    seats: null,
    capabilities: ['inference', 'workstation-control'],
    iat: NOW / 1000 - DAY,
    exp: NOW / 1000 + DAY,
    graceDays: 10,
    ...change,
  },
});
const asked = (authorization: string, change = {}) => {
  const refused = licenseProof(license(change), () => NOW)(authorization);
  return refused === null ? null : { status: statusOf(refused), ...envelopeOf(refused) };
};

describe('the license a workstation presents', () => {
  it("is the deployment's own", () => {
    for (const word of ['Bearer', 'bearer', 'BEARER']) expect(asked(`${word} aaa.bbb.ccc`)).toBeNull();
  });
  it('is refused with one answer, for any other value', () => {
    const answers = [
      '',
      'Bearer',
      'Bearer ',
      'aaa.bbb.ccc',
      'Basic aaa.bbb.ccc',
      'xBearer aaa.bbb.ccc',
      'Bearer aaa.bbb.cc',
      'Bearer aaa.bbb.ccc x',
      'Bearer ddd.eee.fff',
    ];
    expect(new Set(answers.map((text) => JSON.stringify(asked(text)))).size).toBe(1);
    const answer = asked('');
    expect(answer?.status).toBe(401);
    for (const word of [/license/, /Authorization/, /bearer/, /administrator/])
      expect(JSON.stringify(answer)).toMatch(word);
  });
  it('counts through its grace and not beyond', () => {
    expect(asked('Bearer aaa.bbb.ccc', { exp: NOW / 1000 - 9 * DAY })).toBeNull();
    expect(asked('Bearer aaa.bbb.ccc', { exp: NOW / 1000 - 11 * DAY })).toEqual(asked(''));
  });
  it('must cover the control plane', () => {
    expect(asked('Bearer aaa.bbb.ccc', { capabilities: ['inference'] })).toMatchObject({ status: 403 });
  });
});
