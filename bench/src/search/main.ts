import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readData } from '../data.ts';
import { bm25, type Contestant, miniSearch, ours } from './contestants.ts';
import { type Outcome, type Quality, qualityOf } from './quality.ts';
import { readQuestions } from './questions.ts';
import { speedOf } from './speed.ts';
import { foreignWords, VARIATIONS, varied } from './variations.ts';

/** `npm run bench:search -- [--corpora DIR] [--questions FILE] [--json FILE] [--show]`: the figures of documentation search. */
const { values } = parseArgs({
  options: {
    corpora: { type: 'string', default: '../shared/data/docs-search' },
    questions: { type: 'string' },
    json: { type: 'string' },
    show: { type: 'boolean', default: false },
  },
});

const questionsFrom = values.questions === undefined ? '--corpora' : '--questions';
const questionsFile = values.questions ?? join(values.corpora, 'questions.jsonl');
const questions = readQuestions(readData(questionsFile, questionsFrom).toString('utf8'));
const corpora = new Map(
  [...new Set(questions.map(({ corpus }) => corpus))].map((name) => [
    name,
    readData(join(values.corpora, `${name}.llms-full.txt`), '--corpora').toString('utf8'),
  ]),
);

function outcomesOf({ read }: Contestant, asked = questions, write = (text: string) => text): Outcome[] {
  return [...corpora].flatMap(([name, corpus]) => {
    const ask = read(write(corpus));
    const own = asked.filter((question) => question.corpus === name);
    return own.map((question) => ({ question, ...ask(question.question) }));
  });
}

const contestants = [ours, miniSearch, bm25].map((contestant) => {
  const outcomes = outcomesOf(contestant);
  return { name: contestant.name, outcomes, quality: qualityOf(outcomes) };
});
const [largest = ['', '']] = [...corpora].sort((one, other) => other[1].length - one[1].length);
const asked = questions.filter(({ corpus }) => corpus === largest[0]).map(({ question }) => question);
const speed = await speedOf(largest[1], asked);

const COLUMNS: readonly (readonly [keyof Quality, string, string])[] = [
  ['right1', 'right page first', '68 % · 75 %'],
  ['right5', 'among five', '88 % · 93 %'],
  ['mrr', 'MRR', '.75 · .82'],
  ['section5', 'section among five', '66 % · 76 %'],
  ['falseAnswered', 'false answers', '15 % · 8 %'],
  ['acceptedAnswerable', 'accepted', '80 %'],
  ['offTopicAnswered', 'off-topic answered', '0'],
];

function shown(key: keyof Quality, value: number): string {
  if (key === 'mrr') return value.toFixed(3);
  return key === 'offTopicAnswered' ? String(value) : `${(100 * value).toFixed(1)} %`;
}

function line(first: string, cells: readonly string[]): string {
  return `${first.padEnd(20)}${cells.map((cell) => cell.padStart(22)).join('')}\n`;
}

let table = line('', [...contestants.map(({ name }) => name), 'must · aim']);
for (const [key, title, wanted] of COLUMNS) {
  table += line(title, [...contestants.map(({ quality }) => shown(key, quality[key])), wanted]);
}
const megabytes = (largest[1].length / 1e6).toFixed(1);
table += `\n${megabytes} MB (${largest[0]}): query p50 ${speed.p50ms.toFixed(2)} ms, p95 ${speed.p95ms.toFixed(2)} ms (must 3 · 10, aim 1 · 4); `;
table += `from folder to first answer ${speed.indexMs.toFixed(0)} ms (must 1500, aim 500); ${speed.memoryMB.toFixed(0)} MB (must 60)\n`;

const foreign = foreignWords(corpora, 1000);
const variations = VARIATIONS.map((variation) => {
  const asked = varied(questions, variation, corpora);
  return { name: variation.name, quality: qualityOf(outcomesOf(ours, asked, variation.write)) };
});
table += `\n${'asked otherwise'.padEnd(20)}${COLUMNS.slice(0, 6)
  .map(([, title]) => title.padStart(20))
  .join('')}\n`;
for (const { name, quality } of variations) {
  table += `${name.padEnd(20)}${COLUMNS.slice(0, 6)
    .map(([key]) => shown(key, quality[key]).padStart(20))
    .join('')}\n`;
}
const taken = outcomesOf(ours, foreign).filter(({ answered }) => answered === true);
table += `\n${foreign.length} words of other corpora, asked alone: ${taken.length} answered\n`;
process.stdout.write(table);

if (values.show) {
  for (const { question, passages, answered } of contestants[0]?.outcomes ?? []) {
    const right = question.answerable && [question.page, ...question.alt].includes(passages[0]?.page ?? '');
    if (right && answered === true) continue;
    const answer = answered === true ? 'answered' : 'refused';
    process.stderr.write(`${answer.padEnd(9)}${question.id.padEnd(12)}${question.question}\n`);
    for (const { page, headings } of question.answerable ? passages : []) {
      process.stderr.write(`           ${page ?? ''} · ${headings.join(' > ')}\n`);
    }
  }
}
const [first] = contestants;
const figures = {
  ...first?.quality,
  ...speed,
  corpus: largest[0],
  questions: questions.length,
  variations: Object.fromEntries(variations.map(({ name, quality }) => [name, quality])),
  foreignAnswered: taken.length / Math.max(1, foreign.length),
};
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(figures, null, 2)}\n`);
