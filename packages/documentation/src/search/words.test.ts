import { describe, expect, it } from 'vitest';
import { stem } from './fold.ts';
import { isPlainWord, isStopWord } from './synonym-groups.ts';
import { findUnspacedWords, piecesOf, termsOf, wordsOf } from './words.ts';

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

describe('a run', () => {
  it.each(['plain', 'école', 'привет', 'हिन्दी', '1.2.3', 'ﬁle', 'Ω'])('%s separates its words by spaces', (run) => {
    expect(piecesOf(run)).toBeNull();
  });
  it('is cut where its way of writing changes', () => {
    expect(piecesOf('API密钥v2ขอบคุณ')).toEqual([
      { kind: 'spaced', text: 'API' },
      { kind: 'paired', text: '密钥' },
      { kind: 'spaced', text: 'v2' },
      { kind: 'cut', text: 'ขอบคุณ' },
    ]);
  });
});

describe('the terms of a text', () => {
  it('are pairs, and single characters', () => {
    expect(termsOf({ kind: 'paired', text: '网关日志' })).toEqual(['网关', '关日', '日志']);
    expect(termsOf({ kind: 'paired', text: '𠮷野' })).toEqual(['𠮷野']);
    expect(termsOf({ kind: 'paired', text: '网' })).toEqual(['网']);
  });
  it('are the words of a dictionary where letters are single sounds', () => {
    expect(termsOf({ kind: 'cut', text: 'การตั้งค่าเครือข่าย' })).toContain('เครือ');
  });
});

describe('the terms of a question', () => {
  const words = (text: string) =>
    findUnspacedWords(piecesOf(text)?.[0] ?? { kind: 'spaced', text }).map(({ word }) => word);
  it.each([
    ['如何配置网关的日志', ['配置', '网关', '日志']],
    ['設定ファイルはどこですか', ['設定', 'ファイル']],
    ['鍵を取る', ['鍵', '取']],
    ['구성을', ['구성']],
    ['的', []],
  ])('%s', (text, asked) => {
    for (const word of asked) expect(words(text)).toContain(word);
    expect(words(text).join('')).not.toMatch(/[的はですか을]/);
  });
  it('by the pairs of a longer word', () => {
    expect(findUnspacedWords({ kind: 'paired', text: 'ファイル' })).toEqual([
      { word: 'ファイル', terms: ['ファ', 'ァイ', 'イル'] },
    ]);
  });
});
