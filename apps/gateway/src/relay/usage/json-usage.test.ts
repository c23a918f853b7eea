import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BackgroundReading } from './background.ts';
import { UsageReading } from './counts.ts';
import { JsonUsage, plainTextOf } from './json-usage.ts';

/** The counts reported by a text that is cut at these positions. */
function reportedOf(text: string, places: readonly number[] = []) {
  const bytes = Buffer.from(text);
  const cuts = [0, ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  const reading = new UsageReading();
  const usage = new JsonUsage(reading, new BackgroundReading());
  for (const [index, from] of cuts.slice(0, -1).entries()) usage.push(bytes.subarray(from, cuts[index + 1]));
  usage.end(true);
  return reading.reported;
}

describe('the usage of a JSON answer', () => {
  it.each<[string, { input: number | null; output: number | null; cached?: number; written?: number }]>([
    ['{"usage":{"prompt_tokens":1,"completion_tokens":2}}', { input: 1, output: 2 }],
    ['{ "a":[{"usage":{"prompt_tokens":9}}], "usage" : {"input_tokens":3,"x":{"y":1}} }', { input: 3, output: null }],
    [
      '{"choices":[{"usage":{"prompt_tokens":9,"completion_tokens":5}},{"usage":{"prompt_tokens":9,"completion_tokens":7}}]}',
      { input: 9, output: 12 },
    ],
    [
      '{"choices":[{"usage":{"prompt_tokens":9,"completion_tokens":5}}]}\n{"choices":[{"usage":{"prompt_tokens":9,"completion_tokens":7}}]}',
      { input: 9, output: 7 },
    ],
    [
      '{"predictions":[{"embeddings":{"statistics":{"token_count":4}}},{"embeddings":{"statistics":{"token_count":7}}}]}',
      { input: 11, output: null },
    ],
    ['{"usage":null,"x":{"prompt_tokens":1}}', { input: null, output: null }],
    ['{"a":"usage","prompt_tokens":1}', { input: null, output: null }],
    ['{"a":"\\"usage\\":{\\"prompt_tokens\\":1}"}', { input: null, output: null }],
    ['{"\\"usage":{"prompt_tokens":1}}', { input: null, output: null }],
    ['{"usages":{"prompt_tokens":1},"usag":{"prompt_tokens":2}}', { input: null, output: null }],
    ['["usage",{"prompt_tokens":1}]', { input: null, output: null }],
    ['{"usage":{"prompt_tokens":1}}\n{"usage":{"prompt_tokens":2}}', { input: 2, output: null }],
    ['{"message":{},"done":false}\n{"prompt_eval_count":26,"eval_count": 8 }\n', { input: 26, output: 8 }],
    ['{"content":"","tokens_predicted":2,"tokens_evaluated":5}', { input: 5, output: 2 }],
    ['{"eval_count":"7","prompt_eval_count":1.5,"x":{"eval_count":3}}', { input: null, output: null }],
    ['{"eval_count":-1,"prompt_eval_count":null,"y":["eval_count",9]}', { input: null, output: null }],
    ['{"eval_counts":1,"xeval_count":2,"a":"eval_count","b":3}', { input: null, output: null }],
    ['{"usage":{"input_tokens":3,"cache_read_input_tokens":5}}', { input: 8, cached: 5, output: null }],
    ['{"usage":{"cache_read_input_tokens":5}}', { input: null, output: null }],
    ['{"usage":{"total_tokens":15}}', { input: 15, output: null }],
    ['{"usage":{"prompt_tokens":null,"total_tokens":15}}', { input: 15, output: null }],
    ['{"usage":{"total_tokens":15,"completion_tokens":4}}', { input: null, output: 4 }],
    ['{"usage":{"prompt_tokens":0,"input_tokens":9,"completion_tokens":0,"output_tokens":4}}', { input: 9, output: 4 }],
    ['{"usage":{"prompt_tokens":9,"input_tokens":0,"completion_tokens":4,"output_tokens":0}}', { input: 9, output: 4 }],
    ['{"usage":{"prompt_tokens":0,"completion_tokens":0}}', { input: 0, output: 0 }],
    [
      '{"usage":{"prompt_tokens":50,"prompt_tokens_details":{"cached_tokens":20,"cache_write_tokens":5}}}',
      { input: 50, cached: 20, written: 5, output: null },
    ],
    ['{"usage":{"prompt_tokens":"11","completion_tokens":"7","total_tokens":18}}', { input: null, output: null }],
    ['{"usage":{"prompt_tokens":-1,"completion_tokens":-7}}', { input: null, output: null }],
    ['{"usage":{"prompt_tokens":1e3,"completion_tokens":7.0}}', { input: 1000, output: 7 }],
    ['{"usage":{"prompt_tokens":9007199254740991,"completion_tokens":1e300}}', { input: null, output: null }],
    ['{"usage":{"prompt_tokens":true,"completion_tokens":[7]}}', { input: null, output: null }],
    ['{"usage":[{"prompt_tokens":1}]}', { input: null, output: null }],
    ['{"usage":{"prompt_tokens":1},"usage":{"prompt_tokens":2,"completion_tokens":3}}', { input: 2, output: 3 }],
    ['not JSON: "usage":{"prompt_tokens":1}', { input: null, output: null }],
  ])('of %s is read', (text, expected) => {
    expect(
      reportedOf(
        text,
        Array.from({ length: 40 }, (_, index) => index * 7),
      ),
    ).toEqual({ cached: 0, written: 0, ...expected });
    expect(reportedOf(text)).toEqual({ cached: 0, written: 0, ...expected });
  });

  it('is not stored beyond its bound while it passes', () => {
    const text = `{"usage":{"filler":"${'x'.repeat(40_000)}","prompt_tokens":1}}`;
    expect(reportedOf(text, [5000, 10_000, 15_000, 20_000, 30_000])).toMatchObject({ input: null, output: null });
  });

  it('is the same for any division of the bytes, and never throws', () => {
    fc.assert(
      fc.property(fc.json(), fc.json(), fc.array(fc.nat(), { maxLength: 8 }), (one, two, places) => {
        const text = `{"a":${one},"usage":{"prompt_tokens":5,"completion_tokens":6},"b":${two}}`;
        expect(reportedOf(text, places)).toMatchObject({ input: 5, output: 6 });
      }),
      { numRuns: 500 },
    );
    fc.assert(fc.property(fc.string(), fc.array(fc.nat()), (text, places) => reportedOf(text, places) !== undefined));
  });
});

it('each element of a list is counted once, however many there are', () => {
  let counted = 0;
  class Counting extends UsageReading {
    override count(payload: Parameters<UsageReading['count']>[0]): void {
      const { choices } = payload;
      counted += Array.isArray(choices) ? choices.length : 0;
      super.count(payload);
    }
  }
  const usage = new JsonUsage(new Counting(), new BackgroundReading());
  const choices = Array.from({ length: 5000 }, () => '{"usage":{"prompt_tokens":1}}');
  for (let lists = 0; lists < 3; lists += 1) usage.push(Buffer.from(`{"choices":[${choices.join(',')}]}\n`));
  usage.end(true);
  expect(counted).toBe(3 * 256);
});

const said = (text: string) => plainTextOf(Buffer.from(text));
const whole = JSON.stringify({ choices: [{ message: { content: 'One "two".' } }], data: [{ b64_json: 'iVBORw0K' }] });

describe('the generated text of a plain answer', () => {
  it.each<[string, string, boolean]>([
    [whole, 'One "two".', false],
    ['One two.\nthree', 'One two.\nthree', true],
    ['{"response":"One ","done":false}\n{"response":"two.","done":fal', 'One ', true],
    ['{"data":[{"b64_json":"iVBORw0K', '', false],
    ['[[0.25,-1.5', '', false],
    ['{"choices":[{"message":{"content":"One","reasoning_content":"why"}}],"data":[{"b64_json":"iVB', 'One why', false],
    ['{\n  "choices": [{"message": {"content" : "One tw', 'One tw', true],
    ['ID3\0\0words', '', false],
    ['', '', true],
  ])('is distinguished from its context: %j', (answer, text, goesOn) => {
    expect(said(answer)).toEqual({ text, goesOn });
  });

  it('is found in an answer that is cut off anywhere', () => {
    for (let at = 1; at < whole.length; at += 1) expect('One \\"two\\".').toContain(said(whole.slice(0, at)).text);
  });

  it('is found in a long one', () => {
    const long = 'One \\n two. '.repeat(100_000);
    expect(said(`{"choices":[{"message":{"content":"${long}`)).toEqual({ text: long, goesOn: true });
  });
});
