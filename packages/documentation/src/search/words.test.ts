import { describe, expect, it } from 'vitest';
import { stem } from './fold.ts';
import { isPlainWord, isStopWord } from './synonym-groups.ts';
import { wordsOf } from './words.ts';

describe('words', () => {
  it.each([
    ['Plain words, here.', [['plain'], ['words'], ['here']]],
    ['streamText()', [['streamtext', 'stream', 'text']]],
    ['GATEWAY_DOCS_DIR', [['gatewaydocsdir', 'gateway', 'docs', 'dir']]],
    ['parseHTTPHeader', [['parsehttpheader', 'parse', 'http', 'header']]],
    ['Mcp-Name and c.req.header', [['mcp'], ['name'], ['and'], ['c'], ['req'], ['header']]],
    ["the user's, don’t, rock 'n' roll", [['the'], ['user'], ['dont'], ['rock'], ['n'], ['roll']]],
    ['HTTP/2 and http2', [['http'], ['2'], ['and'], ['http2']]],
    ['v1.0.0, V2.5 or 1.0.0.', [['1.0.0', '1', '0', '0'], ['2.5', '2', '5'], ['or'], ['1.0.0', '1', '0', '0']]],
    ['gpt-3.5-turbo, a.b, 1. 2.', [['gpt'], ['3.5', '3', '5'], ['turbo'], ['a'], ['b'], ['1'], ['2']]],
    ['co\u00adfigure', [['cofigure']]],
    ['APIキー v2', [['api'], ['キー'], ['v2']]],
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
  it('in scripts without spaces are the dictionary’s words, with their pairs', () => {
    expect(wordsOf('設定ファイルの場所').map(({ whole, pairs }) => [whole, ...pairs])).toEqual([
      ['設定', '設定'],
      ['ファイル', 'ファ', 'ァイ', 'イル'],
      ['場所', '場所'],
    ]);
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

it('stop words are recognized without their apostrophes', () => {
  expect(['the', 'how', 'dont', 'isnt', 'my'].every(isStopWord)).toBe(true);
  expect(['gateway', 'set', 'time', 'not-a-word', 'constructor'].some(isStopWord)).toBe(false);
});

it('plain words may occur in a question about anything, words of their family may be its subject', () => {
  const plain = ['support', 'happens', 'quietly', 'visitors', 'biggest', 'consider'];
  const subjects = ['gateway', 'neovim', 'test', 'cache', 'exception', 'similarity', 'completion', 'importing'];
  expect([...plain, ...subjects].filter(isPlainWord)).toEqual(plain);
});
