import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dice, draw } from '../testing/specimen.ts';
import { CrossEntropy, crossEntropy, readsLikeWords } from './cross-entropy.ts';

const of = (text: string): number => crossEntropy(Buffer.from(text, 'latin1'), 0, text.length);

describe('cross-entropy', () => {
  it.each(['password', 'accessTokenProvider', 'MAX_RETRY_COUNT', 'the-quick-brown-fox', 'config.database.host'])(
    'is small of words: %s',
    (text) => {
      expect(of(text)).toBeLessThan(4.2);
    },
  );

  it('is large of generated values', () => {
    for (let seed = 0; seed < 50; seed++)
      expect(of(draw('A-Za-z0-9', 32, dice(`surprise ${seed}`)))).toBeGreaterThan(5.3);
  });

  it('is nothing of nothing, and reads only the given bytes', () => {
    expect(of('')).toBe(0);
    expect(crossEntropy(Buffer.from('xxpasswordxx'), 2, 10)).toBe(of('password'));
  });

  it('is the same weighed byte by byte', () => {
    const running = new CrossEntropy();
    assert(
      property(string(), (text) => {
        const bytes = Buffer.from(text);
        running.clear();
        for (const byte of bytes) running.add(byte);
        expect(running.length).toBe(bytes.length);
        expect(running.mean).toBeCloseTo(crossEntropy(bytes, 0, bytes.length), 9);
      }),
      { numRuns: 300 },
    );
  });
});

describe('readsLikeWords', () => {
  const words = (text: string): boolean => readsLikeWords({ bytes: Buffer.from(text) }, 0, text.length);

  it.each(['require_constants', 'getEncodingForModel', 'authenticationMiddleware'])('is true of %s', (text) => {
    expect(words(text)).toBe(true);
  });

  it.each(['short', 'provider_0f8a7b6c', 'k7Qz9mW2xTp4Lr8v', 'zqxjkvbwpfzq'])('is false of %s', (text) => {
    expect(words(text)).toBe(false);
  });

  it('applies to every longer text once it applies', () => {
    assert(
      property(string(), (rest) => {
        expect(words(`require_constants${rest}`)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it('calls no random value one', () => {
    for (let seed = 0; seed < 300; seed++) expect(words(draw('A-Za-z0-9', 40, dice(`words ${seed}`)))).toBe(false);
  });
});
