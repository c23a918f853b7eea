import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createScanner } from '@gateway/secrets';
import { readData } from '../data.ts';
import { isText, textFiles } from './benign.ts';
import { measureRecall } from './recall.ts';
import { isGated, readSamples } from './samples.ts';
import { measureSlices, measureSpeed } from './speed.ts';
import { measureStreams } from './streams.ts';

/** `npm run bench:secrets -- [--data FILE] [--benign DIR] [--json FILE] [--show]`: the figures of secret detection. */
const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data/secrets/dev.jsonl.gz' },
    benign: { type: 'string', default: 'node_modules' },
    json: { type: 'string' },
    show: { type: 'boolean', default: false },
  },
});

const scanner = createScanner({ key: Buffer.from('benchmark') });
const { outcomes, ...recall } = measureRecall(scanner, readSamples(readData(values.data, '--data')));

let megabytes = 0;
let flagged = 0;
const texts: string[] = [];
/** What a model might answer: prose and code, neither minified nor generated. */
const answers: string[] = [];
for (const file of textFiles(values.benign)) {
  const bytes = readFileSync(file);
  if (!isText(bytes)) continue;
  megabytes += bytes.length / 1e6;
  const { findings } = scanner.scanBody(bytes, 'text/plain');
  flagged += findings.length;
  for (const finding of findings) if (values.show) console.error(`benign   ${finding.rule.padEnd(28)} ${file}`);
  if (bytes.length > 300_000) continue;
  if (texts.length < 400) texts.push(bytes.toString('utf8'));
  if (/\.(?:md|[cm]?[jt]s|json|py|css)$/.test(file) && bytes.length < 60_000) answers.push(bytes.toString('utf8'));
}

if (values.show) {
  for (const { sample, found, whole, findings } of outcomes) {
    const answer =
      sample.label === 0 ? findings > 0 && 'flagged' : isGated(sample) && (found ? !whole && 'partial' : 'missed');
    if (answer !== false)
      console.error(`${answer.padEnd(8)} ${sample.kind} ${sample.source} ${sample.rule} ${sample.id}`);
  }
}

/** This many texts, evenly spaced. */
function spread(all: readonly string[], count: number): string[] {
  const step = Math.max(1, Math.floor(all.length / count));
  return all.filter((_, index) => index % step === 0).slice(0, count);
}

const figures = {
  ...recall,
  falsePerMB: flagged / megabytes,
  benignMB: megabytes,
  ...measureSpeed(scanner, texts.join('\n')),
  longestSliceMilliseconds: await measureSlices(scanner, texts.join('\n')),
  stream: measureStreams(scanner, spread(answers, 200)),
};
const text = `${JSON.stringify(figures, null, 2)}\n`;
process.stdout.write(text);
if (values.json !== undefined) writeFileSync(values.json, text);
