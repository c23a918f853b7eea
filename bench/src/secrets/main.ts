import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createScanner } from '@gateway/secrets';
import { readArguments } from '../command-line.ts';
import { readData } from '../data.ts';
import { scanBenign, takeSpread } from './benign.ts';
import { measureRecall } from './recall.ts';
import { isGated, readSamples } from './samples.ts';
import { measureSlices, measureSpeed } from './speed.ts';
import { measureStreams } from './streams.ts';

const USAGE = `Usage: npm run bench:secrets -- [--data FILE] [--benign DIR] [--json FILE] [--show]

Measures the detection of secrets: what it finds, what it finds without cause, and its speed.

  --data FILE   the samples (default ../shared/data/secrets/dev.jsonl.gz)
  --benign DIR  a folder without secrets (default node_modules)
  --json FILE   write the figures to a file
  --show        list what was missed, masked in part, or found without cause`;

const values = readArguments(
  USAGE,
  (args) =>
    parseArgs({
      args: [...args],
      options: {
        data: { type: 'string', default: '../shared/data/secrets/dev.jsonl.gz' },
        benign: { type: 'string', default: 'node_modules' },
        json: { type: 'string' },
        show: { type: 'boolean', default: false },
      },
    }).values,
);

const scanner = createScanner({ key: Buffer.from('benchmark') });
const { outcomes, ...recall } = measureRecall(scanner, readSamples(readData(values.data, '--data')));

const benign = scanBenign(scanner, values.benign);

if (values.show) {
  for (const { rule, file } of benign.findings) console.error(`benign   ${rule.padEnd(28)} ${file}`);
  for (const { sample, found, whole, findings } of outcomes) {
    const answer =
      sample.label === 0 ? findings > 0 && 'flagged' : isGated(sample) && (found ? !whole && 'partial' : 'missed');
    if (answer !== false)
      console.error(`${answer.padEnd(8)} ${sample.kind} ${sample.source} ${sample.rule} ${sample.id}`);
  }
}

const figures = {
  ...recall,
  falsePerMB: benign.findings.length / benign.megabytes,
  benignMB: benign.megabytes,
  ...measureSpeed(scanner, benign.texts.join('\n')),
  longestSliceMilliseconds: await measureSlices(scanner, benign.texts.join('\n')),
  stream: measureStreams(scanner, takeSpread(benign.answers, 200)),
};
const text = `${JSON.stringify(figures, null, 2)}\n`;
process.stdout.write(text);
if (values.json !== undefined) writeFileSync(values.json, text);
