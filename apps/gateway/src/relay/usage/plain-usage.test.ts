import { describe, expect, it } from 'vitest';
import { plainTextOf } from './plain-usage.ts';

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
