import { array, assert, oneof, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atOnce } from '../corpus/sliced.ts';
import { corpusOf, FILLER, type Pages } from '../testing/corpus.ts';
import { createEngine } from './engine.ts';
import { excerptOf } from './search.ts';

function searchOver(pages: Pages) {
  const { index, ask } = atOnce(createEngine(corpusOf({ ...pages, ...FILLER })));
  return (question: string) => {
    const { answered, ranked } = ask(question, 5);
    return { answered, titles: ranked.map(({ passage }) => index.pages[index.passages[passage]?.page ?? 0]?.title) };
  };
}

describe('accents', () => {
  const ask = searchOver({
    Lebenslauf: 'Send the résumé with the straße.',
    Continue: 'How to resume a walk in Lodz.',
    'Zweite Stadt': 'Łódź lies far away from the smørrebrød.',
  });
  it.each([
    ['résumé', 'Lebenslauf', 'Continue'],
    ['re\u0301sume\u0301', 'Lebenslauf', 'Continue'],
    ['resume', 'Continue', 'Lebenslauf'],
    ['Łódź', 'Zweite Stadt', 'Continue'],
    ['lodz', 'Continue', 'Zweite Stadt'],
  ])('%s finds what is written so, then what differs by accents', (question, first, second) => {
    expect(ask(question)).toEqual({ answered: true, titles: [first, second] });
  });
  it.each(['strasse', 'STRASSE', 'Straße', 'smorrebrod'])('%s is answered', (question) => {
    expect(ask(question).answered).toBe(true);
  });
});

describe('scripts without spaces', () => {
  const ask = searchOver({
    网关: '网关的日志保存在本地数据库中。密钥可以随时撤销。',
    設定: '設定ファイルの場所は環境変数で指定します。鍵は取り消すことができます。',
    설정: '게이트웨이의 구성은 파일에 저장됩니다.',
    เครือข่าย: 'การตั้งค่าเครือข่ายอยู่ในไฟล์',
  });
  it.each([
    ['日志', '网关'],
    ['如何撤销密钥', '网关'],
    ['数据库', '网关'],
    ['設定ファイルはどこですか', '設定'],
    ['環境変数', '設定'],
    ['鍵', '設定'],
    ['鍵を取り消す', '設定'],
    ['구성을 저장', '설정'],
    ['게이트웨이', '설정'],
    ['เครือข่าย', 'เครือข่าย'],
  ])('%s', (question, title) => {
    expect(ask(question)).toMatchObject({ answered: true, titles: [title, ...ask(question).titles.slice(1)] });
  });
  it.each(['飞机票价格', '航空券の料金', '비행기 표', 'ตั๋วเครื่องบิน', '的', 'ですか'])(
    '%s is not answered',
    (question) => {
      expect(ask(question).answered).toBe(false);
    },
  );
  it('are cut into an excerpt at the end of a sentence, or between characters', () => {
    const long = `${'这里没有什么。'.repeat(200)}密钥可以撤销。${'这里没有什么。'.repeat(200)}`;
    const { index, ask: find } = atOnce(createEngine(corpusOf({ Long: long, Other: '𠮷'.repeat(2000) })));
    const excerpt = excerptOf(index, long, find('撤销', 1).asked);
    expect(excerpt).toContain('密钥可以撤销。');
    expect(excerpt.length).toBeLessThan(620);
    const pairs = excerptOf(index, '𠮷'.repeat(2000), find('撤销', 1).asked);
    expect(pairs.length).toBeLessThan(620);
    expect(pairs.isWellFormed()).toBe(true);
  });
});

describe('numbers', () => {
  const ask = searchOver({
    Releases: 'Version v2.4.1 mends the pump. Refused calls answer 403.',
    Older: 'Versions 2, 4 and 1.',
  });
  it.each(['2.4.1', 'v2.4.1', '403'])('%s is found', (question) => {
    expect(ask(question)).toEqual({ answered: true, titles: ['Releases'] });
  });
  it.each(['2.1.4', '404', '430'])('%s is not', (question) => {
    expect(ask(question).answered).toBe(false);
  });
});

it('two words that the corpus writes as one alone are covered by it', () => {
  const ask = searchOver({ Sockets: 'A websocket stays open.', Bundles: 'Call createArchive to pack it.' });
  expect(ask('web sockets')).toEqual({ answered: true, titles: ['Sockets'] });
});

it('any text is indexed, and any question answered, in the same way each time', () => {
  const texts = oneof(string({ unit: 'binary' }), string({ unit: 'grapheme' }), string());
  assert(
    property(array(texts, { maxLength: 6 }), array(texts, { maxLength: 6 }), (bodies, questions) => {
      const corpus = corpusOf(
        Object.fromEntries(bodies.map((body, at) => [`Page ${at}`, `${body}\n\n## Part\n\n${body}`])),
      );
      const engines = [atOnce(createEngine(corpus)), atOnce(createEngine(corpus))];
      for (const question of [...questions, ...bodies]) {
        const [one, other] = engines.map(({ ask, index }) => {
          const found = ask(question, 5);
          const excerpts = found.ranked.map(({ passage }) =>
            excerptOf(index, index.passages[passage]?.text ?? '', found.asked),
          );
          return { ...found, excerpts };
        });
        expect(one).toEqual(other);
      }
    }),
    { numRuns: 50 },
  );
});
