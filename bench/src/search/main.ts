import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readArguments } from '../command-line.ts';
import { readData } from '../data.ts';
import { bm25, type Contestant, miniSearch, ours } from './contestants.ts';
import { type Outcome, qualityOf } from './quality.ts';
import { readQuestions } from './questions.ts';
import { contestTable, speedLine, variationTable } from './report.ts';
import { speedOf } from './speed.ts';
import { foreignWords, VARIATIONS, varied } from './variations.ts';

const USAGE = `Usage: npm run bench:search -- [--corpora DIR] [--questions FILE] [--json FILE] [--show]

Measures the search of the documentation beside other engines.

  --corpora DIR     the corpora and their questions (default ../shared/data/docs-search)
  --questions FILE  other questions about the corpora
  --json FILE       write the figures to a file
  --show            list the questions without a right first answer`;

const values = readArguments(
  USAGE,
  (args) =>
    parseArgs({
      args: [...args],
      options: {
        corpora: { type: 'string', default: '../shared/data/docs-search' },
        questions: { type: 'string' },
        json: { type: 'string' },
        show: { type: 'boolean', default: false },
      },
    }).values,
);

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

const foreign = foreignWords(corpora, 1000);
const variations = VARIATIONS.map((variation) => {
  const asked = varied(questions, variation, corpora);
  return { name: variation.name, quality: qualityOf(outcomesOf(ours, asked, variation.write)) };
});
const taken = outcomesOf(ours, foreign).filter(({ answered }) => answered === true);
const parts = [
  contestTable(contestants),
  speedLine(largest[0], largest[1].length, speed),
  variationTable(variations),
  `${foreign.length} words of other corpora, asked alone: ${taken.length} answered\n`,
];
process.stdout.write(parts.join('\n'));

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
