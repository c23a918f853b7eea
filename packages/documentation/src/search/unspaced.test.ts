import { describe, expect, it } from 'vitest';
import { findUnspacedWords, piecesOf, termsOf } from './unspaced.ts';

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
