import { createEventStream, createScanner } from '@gateway/secrets';
import { content, sse, stop, token } from '../../../packages/secrets/src/testing/model-events.ts';
import type { Random } from '../../support/random.ts';
import { mutated } from '../mutate.ts';
import { Finding, type Target } from '../target.ts';

const cutToken = [token.slice(0, 7), token.slice(7, 20), token.slice(20)];
const INPUTS = [
  sse(...['Hello', ' there', '.'].map((text) => content(text)), stop, '[DONE]'),
  sse(content('use '), ...cutToken.map((text) => content(text)), content(' now'), stop, '[DONE]'),
  sse(...cutToken.map((text, at) => content(text, at % 2)), stop),
  sse({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: `x ${token}` } }),
  sse({ type: 'response.output_text.delta', item_id: 'a', output_index: 0, delta: token.slice(0, 12) }),
  Buffer.from('event: message\r\nid: 7\r\n: comment\r\ndata: {"choices":\r\ndata: []}\r\n\r\n'),
  Buffer.from(`data: ${token}\n\n`),
  Buffer.from(`{"message":{"content":"${token}"},"done":false}\n{"done":true}\n`),
];
const WORDS = [
  'data: ',
  'data:',
  'event: x\n',
  '\n\n',
  '\r\n\r\n',
  '\r',
  ': ',
  '[DONE]',
  token,
  token.slice(0, 9),
  '\\u0067hp_',
];
const RESPONSES = { high: 'mask', medium: 'mask' } as const;

const USUAL =
  /^data: \{"id":"c","choices":\[(\{"index":\d,"delta":\{(?:"content":"[^"\\]*")?\},"finish_reason":[^\]]+\})\]\}$/;

/**
 * The characters of all texts that a client reads; null where not every event is a usual one. Where texts alternate and one of them has to
 * wait, it leaves with a later event.
 */
function textsOf(bytes: Buffer): string | null {
  const lines = bytes
    .toString()
    .split('\n')
    .filter((line) => line !== '' && line !== 'data: [DONE]');
  const texts = lines.map((line) => {
    const choice = USUAL.exec(line)?.[1];
    return choice === undefined ? null : (/"content":"([^"]*)"/.exec(choice)?.[1] ?? '');
  });
  return texts.includes(null) ? null : Array.from(texts.join('')).sort().join('');
}

/** Streams: the same secrets are found for any split of the bytes, and a stream without secrets passes unchanged. */
export const streams: Target = {
  name: 'streams',
  share: 21,
  concurrency: 1,
  async open() {
    const scanner = createScanner({ key: Buffer.from('fuzz') });
    const read = (chunks: readonly Uint8Array[], framing: 'sse' | 'ndjson') => {
      const stream = createEventStream(scanner, RESPONSES, framing);
      const steps = [...chunks.map((chunk) => stream.push(chunk)), stream.end()];
      return {
        bytes: Buffer.concat(steps.map(({ bytes }) => bytes)),
        kinds: steps.flatMap(({ findings }) => findings.map(({ kind }) => kind)).join(','),
      };
    };
    const cut = (bytes: Buffer, random: Random): Buffer[] => {
      const at = Array.from({ length: 1 + random.below(6) }, () => random.below(bytes.length + 1)).sort(
        (a, b) => a - b,
      );
      return [0, ...at].map((from, index) => bytes.subarray(from, at[index] ?? bytes.length));
    };
    return {
      run(random) {
        const bytes = mutated(INPUTS, random, WORDS);
        const framing = random.pick(['sse', 'sse', 'sse', 'ndjson'] as const);
        const whole = read([bytes], framing);
        const parts = read(cut(bytes, random), framing);
        if (whole.kinds !== parts.kinds) {
          throw new Finding(`Cut, "${parts.kinds}" is found instead of "${whole.kinds}" (${framing}).`, bytes);
        }
        if (!whole.bytes.equals(parts.bytes)) throw new Finding(`Cut, it leaves otherwise (${framing}).`, bytes);
        if (whole.kinds !== '') return 'refused';
        if (!whole.bytes.equals(bytes) && textsOf(whole.bytes) !== textsOf(bytes))
          throw new Finding(`It holds nothing and leaves changed (${framing}).`, bytes);
        return 'accepted';
      },
    };
  },
};
