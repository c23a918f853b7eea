import { array, assert, constantFrom, integer, oneof, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Answer } from './last-event.ts';
import { KeyMask, keyMaskOf, MaskedAnswer } from './mask-scanner.ts';

const KEY = 'sk-ab/s"é7';
const STARS = '*'.repeat(KEY.length);

/** The output for an answer cut at these positions. */
function through(key: string, body: Buffer, cuts: readonly number[]): Buffer {
  const left: Buffer[] = [];
  const inner = { write: (chunk: Buffer) => left.push(chunk) > 0, end() {} } as unknown as Answer;
  const answer = new MaskedAnswer(inner, new KeyMask(key), () => {});
  const places = [...new Set([0, ...cuts.map((cut) => cut % (body.length + 1)), body.length])].sort((a, b) => a - b);
  for (const [index, from] of places.entries()) answer.write(body.subarray(from, places[index + 1]));
  answer.end({ now: async () => true, later: (kept) => kept() });
  return Buffer.concat(left);
}

describe("a provider's key", () => {
  // relay-23
  it('is masked by as many asterisks, and nothing else is touched', () => {
    const mask = new KeyMask('engine-key');
    expect(mask.text('Bearer engine-key, engine-keengine-key')).toBe('Bearer **********, engine-ke**********');
    const other = Buffer.from('engine-ke engine-kex');
    expect(mask.bytes(other, true).bytes).toBe(other);
  });

  it('of fewer than eight characters is none to mask', () => {
    expect([keyMaskOf(null), keyMaskOf('1234567')]).toEqual([null, null]);
    expect(keyMaskOf('12345678')).toBe(keyMaskOf('12345678'));
  });

  it.each([
    ['unescaped, a byte a character', Buffer.from(KEY, 'latin1')],
    ['in UTF-8', Buffer.from(KEY)],
    ['as JSON writes it', Buffer.from(JSON.stringify(KEY).slice(1, -1))],
    ['with an escaped slash', Buffer.from(JSON.stringify(KEY).slice(1, -1).replace('/', '\\/'))],
    [
      'with every character escaped',
      Buffer.from(Array.from(KEY, (one) => `\\u00${one.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')),
    ],
    ['with escapes in capitals', Buffer.from(KEY.replace('/', '\\u002F').replace('"', '\\"'), 'latin1')],
  ])('is found %s, cut at any position', (_, written) => {
    const body = Buffer.concat([Buffer.from('{"a":"'), written, Buffer.from('"}')]);
    for (let cut = 0; cut <= body.length; cut++) {
      const text = through(KEY, body, [cut]).toString('latin1');
      expect(text).toBe(`{"a":"${'*'.repeat(written.length)}"}`);
    }
  });

  it('gives the same result as one pass over the whole, for an answer in any pieces', () => {
    const key = 'aab-aab-aac';
    const forms = Array.from(key, (one) => `(?:${one}|\\\\u00${one.charCodeAt(0).toString(16)})`);
    const anyForm = new RegExp(forms.join(''), 'g');
    const pieces = oneof(constantFrom(key, 'aab-', 'a', 'aab-aab-', '\\u0061', '\\u006', '\\', '"'), string());
    assert(
      property(array(pieces, { maxLength: 12 }), array(integer({ min: 0, max: 200 })), (texts, cuts) => {
        const body = Buffer.from(texts.join(''));
        const whole = through(key, body, []);
        expect(through(key, body, cuts).equals(whole)).toBe(true);
        expect(whole.toString()).toBe(body.toString().replaceAll(anyForm, (form) => '*'.repeat(form.length)));
      }),
    );
  });

  it('in a header is masked with all of its characters', () => {
    const mask = new KeyMask(KEY);
    expect(mask.text(`key=${KEY}.`)).toBe(`key=${STARS}.`);
    expect(mask.text(Buffer.from(KEY).toString('latin1'))).toBe(`${STARS}*`);
  });

  it('in a sentence is masked, and a name in any script beside it stays legible', () => {
    expect(new KeyMask('engine-key').text('no host шлюз.example for engine-key')).toBe(
      'no host шлюз.example for **********',
    );
    expect(new KeyMask(KEY).text(`шлюз 東京: ${KEY}`)).toBe(`шлюз 東京: ${STARS}*`);
  });
});
