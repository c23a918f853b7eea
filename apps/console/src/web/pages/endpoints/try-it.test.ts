import { expect, it } from 'vitest';
import { answerText } from './snippets.tsx';

it.each([
  ['{"choices":[{"message":{"role":"assistant","content":"Hello."}}]}', 'Hello.'],
  ['{"error":"Unauthorized.","reason":"x"}', 'Unauthorized.'],
  ['{"error":{"message":"no such model","type":"x"}}', 'no such model'],
  ['{"choices":[{"message":{"content":null}}]}', '{"choices":[{"message":{"content":null}}]}'],
  ['{"choices":[]}', '{"choices":[]}'],
  ['{"choices":{}}', '{"choices":{}}'],
  ['null', 'null'],
  ['"text"', '"text"'],
  ['<html>', '<html>'],
  ['', ''],
])('of %s a person reads: %s', (body, said) => {
  expect(answerText(body)).toBe(said);
});
