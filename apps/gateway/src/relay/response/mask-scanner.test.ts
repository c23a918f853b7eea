import { createEventStream, createScanner, type Responses } from '@gateway/secrets';
import { array, assert, constantFrom, property, subarray } from 'fast-check';
import { expect, it } from 'vitest';
import { withMask } from './mask-scanner.ts';

const KEY = 'engine-engine-key';
const plain = createScanner({ key: Buffer.alloc(32) });
const scanner = withMask(plain, KEY, () => {});
const event = (content: string): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;

/** The text that a client puts together of a stream. */
function textOf(bytes: string): string {
  const payloads = bytes.split('\n').filter((line) => line.startsWith('data: {'));
  return payloads.map((line) => JSON.parse(line.slice(6)).choices[0].delta.content as string).join('');
}

function streamed(pieces: readonly string[], responses: Responses, own = scanner): string {
  const stream = createEventStream(own, responses, 'sse');
  const steps = [...pieces.map((piece) => stream.push(Buffer.from(event(piece)))), stream.end()];
  return Buffer.concat(steps.map(({ bytes }) => bytes)).toString();
}

it.each(['block', 'mask', 'alert'] as const)(
  'masks a key split over events with the policy response %s',
  (response) => {
    const responses = { high: response, medium: response };
    const text = `the key is ${KEY} and engine-en is not`;
    assert(
      property(subarray([...Array(text.length).keys()]), (cuts) => {
        const pieces = [0, ...cuts].map((from, index) => text.slice(from, [...cuts, text.length][index]));
        expect(textOf(streamed(pieces, responses))).toBe(text.replace(KEY, '*'.repeat(KEY.length)));
      }),
    );
  },
);

it('releases events without the key byte for byte', () => {
  const responses = { high: 'block', medium: 'block' } as const;
  const pieces = array(constantFrom('engine-', 'e', 'engine-engine-ke', ' ', 'é"\\', 'word'), { maxLength: 12 });
  assert(
    property(pieces, (texts) => {
      if (texts.join('').includes(KEY)) return;
      expect(streamed(texts, responses)).toBe(texts.map(event).join(''));
    }),
  );
});

it('reports that it found the key', () => {
  let met = 0;
  const own = withMask(plain, KEY, () => {
    met += 1;
  });
  const responses = { high: 'block', medium: 'block' } as const;
  streamed(['no key'], responses, own);
  expect(met).toBe(0);
  streamed([KEY.slice(0, 9), KEY.slice(9)], responses, own);
  expect(met).toBe(1);
});
