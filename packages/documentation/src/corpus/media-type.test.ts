import { expect, it } from 'vitest';
import { mediaTypeOf } from './pages.ts';

it.each([
  ['index.html', 'text/html; charset=utf-8'],
  ['assets/app.D4f.js', 'text/javascript; charset=utf-8'],
  ['style.CSS', 'text/css; charset=utf-8'],
  ['llms.txt', 'text/plain; charset=utf-8'],
  ['search.json', 'application/json'],
  ['a.woff2', 'font/woff2'],
  ['Makefile', 'application/octet-stream'],
  ['a.unknown', 'application/octet-stream'],
  ['a.constructor', 'application/octet-stream'],
  ['a.html/b', 'application/octet-stream'],
])('%s is %s', (name, type) => {
  expect(mediaTypeOf(name)).toBe(type);
});
