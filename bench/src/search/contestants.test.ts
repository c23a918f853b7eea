import { describe, expect, it } from 'vitest';
import { bm25, miniSearch, ours } from './contestants.ts';
import { qualityOf } from './quality.ts';
import { type Question, readQuestions } from './questions.ts';
import { speedOf } from './speed.ts';

/** A corpus of three pages, as sites write it for models. */
const CORPUS = `---
url: /start
---
# Start the gateway

Run the installer, then open the console in a browser.

## Licence

A licence names the organization and the number of developers.

---
url: /keys
---
# Account keys

## Rotate a key

Create another key, deploy it, and revoke the old one.

---
url: /logs
---
# Logs

## Export to a collector

Syslog over TLS carries every decision to your collector.
`;
const QUESTIONS = `
{"id":"1","corpus":"c","question":"how do I rotate an account key","page":"/keys","section":"Rotate a key","answerable":true,"kind":"howto","alt":[]}

{"id":"2","corpus":"c","question":"export logs to a syslog collector","page":"/logs","section":"Export to a collector","answerable":true,"kind":"howto","alt":[]}
{"id":"3","corpus":"c","question":"what is in a licence","page":"/start","section":"Licence","answerable":true,"kind":"fact","alt":["/other"]}
`;
const questions = readQuestions(QUESTIONS);

describe('questions', () => {
  it('are one a line, whatever blank lines there are', () => {
    expect(questions.map(({ id }) => id)).toEqual(['1', '2', '3']);
    expect(questions[2]).toMatchObject({ alt: ['/other'], section: 'Licence' } satisfies Partial<Question>);
    expect(readQuestions('\n \n')).toEqual([]);
  });

  it('that cannot be read end the measurement', () => {
    expect(() => readQuestions('{"id":')).toThrow(SyntaxError);
  });
});

describe.each([ours, miniSearch, bm25])('$name', ({ read }) => {
  const ask = read(CORPUS);

  it('finds the page and the section of every question of a small corpus', () => {
    const outcomes = questions.map((question) => ({ question, ...ask(question.question) }));
    expect(qualityOf(outcomes)).toMatchObject({ right1: 1, right5: 1, mrr: 1, section5: 1 });
  });

  it('names passages by the addresses and headings of the corpus', () => {
    const { passages, score } = ask('syslog collector');
    expect(passages[0]).toMatchObject({ page: '/logs', headings: ['Logs', 'Export to a collector'] });
    expect(score).toBeGreaterThan(0);
  });

  it('finds nothing for a question without a word of the corpus', () => {
    const { passages, score, answered } = ask('xylophone zeppelin');
    expect([passages.length, score]).toEqual([0, 0]);
    expect(answered).not.toBe(true);
  });
});

it('the speed of the service is that of answers, starts and memory', async () => {
  const speed = await speedOf(CORPUS, ['rotate a key']);
  expect(speed.p50ms).toBeGreaterThan(0);
  expect(speed.p95ms).toBeGreaterThanOrEqual(speed.p50ms);
  expect(speed.indexMs).toBeGreaterThan(0);
  expect(Number.isFinite(speed.memoryMB)).toBe(true);
});
