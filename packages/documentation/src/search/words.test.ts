import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stem } from './stem.ts';
import { isStopWord } from './stop-words.ts';
import { wordsOf } from './words.ts';

describe('words', () => {
  it.each([
    ['Plain words, here.', [['plain'], ['words'], ['here']]],
    ['streamText()', [['streamtext', 'stream', 'text']]],
    ['GATEWAY_DOCS_DIR', [['gatewaydocsdir', 'gateway', 'docs', 'dir']]],
    ['parseHTTPHeader', [['parsehttpheader', 'parse', 'http', 'header']]],
    ['Mcp-Name and c.req.header', [['mcp'], ['name'], ['and'], ['c'], ['req'], ['header']]],
    ["the user's, don’t, rock 'n' roll", [['the'], ['user'], ['dont'], ['rock'], ['n'], ['roll']]],
    ['HTTP/2, v1.0.0 and http2', [['http'], ['2'], ['v1'], ['0'], ['0'], ['and'], ['http2']]],
    ['école ÉCOLE 日本語', [['école'], ['école'], ['日本語']]],
    ['cafe\u0301 CAFE\u0301 ra\u0308der', [['café'], ['café'], ['räder']]],
    ['__proto__ _private', [['proto'], ['private']]],
    ['', []],
    ['`~!@ — …', []],
  ])('%s', (text, words) => {
    expect(wordsOf(text).map(({ whole, parts }) => [whole, ...parts])).toEqual(words);
  });
  it('leave out encoded data', () => {
    expect(wordsOf('a'.repeat(61))).toEqual([]);
    expect(wordsOf('a'.repeat(60))).toHaveLength(1);
  });
  it('are what a regular expression finds', () => {
    const piece = constantFrom('a', 'Z', 'é', '日', '7', '_', "'", '’', ' ', '-', '\n', '.', '__');
    assert(
      property(array(piece, { maxLength: 20 }), (pieces) => {
        const text = pieces.join('');
        const runs = text.match(/[\p{L}\p{N}]+(?:[_'’][\p{L}\p{N}]+)*/gu) ?? [];
        expect(wordsOf(text)).toEqual(runs.flatMap((run) => wordsOf(run)));
        expect(wordsOf(text)).toHaveLength(runs.length);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('stems', () => {
  it.each([
    ['caching', 'caches', 'cached'],
    ['verify', 'verifies', 'verified'],
    ['slow', 'slowly'],
    ['safe', 'safely'],
    ['automatic', 'automatically'],
    ['endpoint', 'endpoints'],
    ['v1', 'v1'],
  ])('%s is of one family with %s', (...family) => {
    expect(new Set(family.map(stem)).size).toBe(1);
  });
  it.each([
    ['early', 'ear'],
    ['daily', 'dai'],
    ['reply', 'rep'],
    ['apply', 'app'],
    ['assembly', 'assemb'],
    ['policy', 'police'],
  ])('%s is not of one family with %s', (one, other) => {
    expect(stem(one)).not.toBe(stem(other));
  });
});

it('stop words are known without their apostrophes', () => {
  expect(['the', 'how', 'dont', 'isnt', 'my'].every(isStopWord)).toBe(true);
  expect(['gateway', 'set', 'time', 'not-a-word', 'constructor'].some(isStopWord)).toBe(false);
});
