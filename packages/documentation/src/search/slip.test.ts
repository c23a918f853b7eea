import { describe, expect, it } from 'vitest';
import { isSure, slipBetween } from './spellings.ts';

const kindOf = (typed: string, meant: string) => slipBetween(typed, meant)?.kind ?? null;

describe('a slip', () => {
  it.each([
    ['revoek', 'revoke', 'transposed'],
    ['revvoke', 'revoke', 'doubled'],
    ['adress', 'address', 'doubled'],
    ['revke', 'revoke', 'missing'],
    ['revokation', 'revocation', 'sounding'],
    ['licence', 'license', 'sounding'],
    ['rewoke', 'revoke', 'other'],
    ['revokek', 'revoke', 'extra'],
    ['rekove', 'revoke', 'two'],
    ['revoke', 'revoke', null],
    ['revoke', 'gateway', null],
  ])('%s for %s', (typed, meant, kind) => {
    expect(kindOf(typed, meant)).toBe(kind);
  });
  it('reports whether it is at the first letter', () => {
    expect(slipBetween('preact', 'react')?.first).toBe(true);
    expect(slipBetween('ract', 'react')?.first).toBe(false);
  });
});

describe('it is sure', () => {
  const sure = (typed: string, meant: string, strange = false) => {
    const slip = slipBetween(typed, meant);
    return slip !== null && isSure(slip, typed.length, strange);
  };
  it.each([
    ['teh', 'the'],
    ['tset', 'test'],
    ['adress', 'address'],
    ['cofiguration', 'configuration'],
    ['revokation', 'revocation'],
    ['licence', 'license'],
    ['configuraiotn', 'configuration'],
  ])('that %s is %s', (typed, meant) => {
    expect(sure(typed, meant)).toBe(true);
  });
  it.each([
    ['slack', 'stack'],
    ['sentry', 'entry'],
    ['preact', 'react'],
    ['asymmetric', 'symmetric'],
    ['unprotected', 'protected'],
    ['nuxt', 'next'],
    ['deno', 'demo'],
    ['gradle', 'grade'],
    ['elephant', 'element'],
  ])('is not that %s is %s', (typed, meant) => {
    expect(sure(typed, meant)).toBe(false);
  });
  it('of a shorter word, if its letters are strange, but never of a very short one', () => {
    expect([sure('prtoxy', 'proxy'), sure('prtoxy', 'proxy', true)]).toEqual([false, true]);
    expect(sure('nuxt', 'next', true)).toBe(false);
  });
});
