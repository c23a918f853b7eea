import { array, assert, constantFrom, integer, property, uint8Array } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALERT, BLOCK, MASK, scanner, token } from '../testing/model-events.ts';
import { createTextStream } from './events.ts';

function run(chunks: readonly Uint8Array[], responses: typeof MASK | typeof BLOCK | typeof ALERT = MASK) {
  const stream = createTextStream(scanner, responses);
  const steps = [...chunks.map((chunk) => stream.push(chunk)), stream.end()];
  return {
    bytes: Buffer.concat(steps.map(({ bytes }) => bytes)),
    findings: steps.flatMap(({ findings }) => findings),
    blocked: steps.some(({ blocked }) => blocked),
  };
}

const cut = (bytes: Buffer, at: number): Buffer[] => [bytes.subarray(0, at), bytes.subarray(at)];

describe('a streamed answer without events', () => {
  const answer = Buffer.from(`é 🔑: ${token}, ünd`);

  it('is masked at every cut, even inside a character', () => {
    for (let at = 0; at <= answer.length; at++) {
      const { bytes, findings } = run(cut(answer, at));
      expect(bytes.toString(), String(at)).toBe('é 🔑: [secret:access-token], ünd');
      expect(findings).toHaveLength(1);
    }
  });

  it('has findings at the bytes of the answer', () => {
    const [finding] = run([answer]).findings;
    expect(answer.subarray(finding?.start, finding?.end).toString()).toBe(token);
    expect(finding).toMatchObject({ pointer: null, length: token.length });
  });

  it('ends before the secret where that blocks, and nothing follows', () => {
    for (let at = 0; at <= answer.length; at++) {
      const { bytes, blocked } = run([...cut(answer, at), Buffer.from('and more')], BLOCK);
      expect([bytes.toString(), blocked]).toEqual(['é 🔑: ', true]);
    }
  });

  it('leaves unchanged where findings are only reported', () => {
    const { bytes, findings } = run(cut(answer, 20), ALERT);
    expect(bytes.equals(answer)).toBe(true);
    expect(findings).toHaveLength(1);
  });

  it('leaves byte for byte where nothing is found, text or not', () => {
    const chunk = uint8Array({ maxLength: 40 });
    assert(
      property(array(chunk, { maxLength: 6 }), (chunks) => {
        const { bytes, findings } = run(chunks);
        expect(findings.length > 0 || bytes.equals(Buffer.concat(chunks))).toBe(true);
      }),
    );
  });

  it('is masked in between bytes that are no text, wherever it is cut', () => {
    const noise = uint8Array({ maxLength: 20 });
    assert(
      property(noise, noise, integer({ min: 0, max: 80 }), constantFrom('\n', ' '), (before, after, at, gap) => {
        const bytes = Buffer.concat([before, Buffer.from(`${gap}${token}${gap}`), after]);
        const left = run(cut(bytes, Math.min(at, bytes.length))).bytes;
        expect(left.includes(token.slice(4))).toBe(false);
        expect(left.subarray(0, before.length).equals(before)).toBe(true);
      }),
    );
  });

  it('does not keep the memory of a chunk that is used again', () => {
    const stream = createTextStream(scanner, MASK);
    const chunk = Buffer.from('so it is gh');
    const first = stream.push(chunk);
    chunk.fill('x');
    const rest = stream.push(Buffer.from('ost'));
    expect(Buffer.concat([first.bytes, rest.bytes, stream.end().bytes]).toString()).toBe('so it is ghost');
  });
});
