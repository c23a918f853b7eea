import { describe, expect, it } from 'vitest';
import { content, MASK, scanner, sse, stop, token } from '../testing/model-events.ts';
import { createUnnamedStream } from './events.ts';

function run(chunks: readonly Uint8Array[]): { readonly text: string; readonly kinds: readonly string[] } {
  const stream = createUnnamedStream(scanner, MASK);
  const steps = [...chunks.map((chunk) => stream.push(chunk)), stream.end()];
  return {
    text: Buffer.concat(steps.map(({ bytes }) => bytes)).toString(),
    kinds: steps.flatMap(({ findings }) => findings.map(({ kind }) => kind)),
  };
}

/** The ways in which bytes may come: at once, each alone, and in two parts. */
const cuts = (bytes: Buffer): readonly (readonly Buffer[])[] => [
  [bytes],
  Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)),
  ...Array.from({ length: 12 }, (_, at) => [bytes.subarray(0, at), bytes.subarray(at)]),
];

describe('an answer whose content type names no events', () => {
  it.each(['', '\ufeff', ': a comment\n\n', 'event: chunk\n', 'id: 7\n', 'retry: 10\n\n', '\ufeff: still\n\n'])(
    'is read as events where it begins with %j',
    (begin) => {
      const events = sse(content(`use ${token.slice(0, 17)}`), content(`${token.slice(17)} now`), stop);
      for (const chunks of cuts(Buffer.concat([Buffer.from(begin), events]))) {
        const { text, kinds } = run(chunks);
        expect(kinds).toEqual(['access-token']);
        expect(text.startsWith(begin)).toBe(true);
        expect(text).not.toContain(token.slice(17));
      }
    },
  );

  it.each([`use ${token} now`, `da ${token}`, `datum: ${token}`, `{"a":"${token}"}`, `\ufeff ${token}`])(
    'is read as one text where it begins like %j',
    (answer) => {
      for (const chunks of cuts(Buffer.from(answer)))
        expect(run(chunks)).toEqual({
          text: answer.replace(token, '[secret:access-token]'),
          kinds: ['access-token'],
        });
    },
  );

  it.each(['', 'd', 'data', 'retry', '\ufeff', '\ufeffeven', 'data: nothing\n\n', 'event: x', 'no events'])(
    'leaves unchanged: %j',
    (answer) => {
      for (const chunks of cuts(Buffer.from(answer))) expect(run(chunks).text).toBe(answer);
    },
  );
});
