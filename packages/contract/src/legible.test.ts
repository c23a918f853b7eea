import { expect, it } from 'vitest';
import { hasUnseen, legible } from './legible.ts';

it.each([
  ['s-1', 's-1'],
  ['é 漢 🔒', 'é 漢 🔒'],
  ['a\r\nb', 'a\\u000d\\u000ab'],
  ['\u001b[2J', '\\u001b[2J'],
  ['ad\u200bmin', 'ad\\u200bmin'],
  ['ad\u00admin\u200e', 'ad\\u00admin\\u200e'],
  ['admin\u{e0041}', 'admin\\ue0041'],
  ['👩‍💻 می‌خواهم क्‍ष ❤️', '👩‍💻 می‌خواهم क्‍ष ❤️'],
  ['\u202egpj.exe\u2066', '\\u202egpj.exe\\u2066'],
])('%j is shown as %s', (text, line) => {
  expect(legible(text)).toBe(line);
  expect(hasUnseen(text)).toBe(text !== line);
});
