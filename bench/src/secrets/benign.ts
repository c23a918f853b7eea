import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Scanner } from '@gateway/secrets';

const TEXT = new Set(
  '.ts .js .mjs .cjs .mts .cts .tsx .jsx .json .md .markdown .txt .yml .yaml .map .css .scss .html .toml .lock .c .h .cc .cpp .py .sh .xml .svg .flow .snap .wat .pem .crt'.split(
    ' ',
  ),
);

/** Text files below a directory, in a stable order, up to 8 MB each. */
export function* textFiles(directory: string): Generator<string> {
  const entries = readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* textFiles(path);
    else if (entry.isFile() && (TEXT.has(extname(path)) || !entry.name.includes('.')) && statSync(path).size < 8e6)
      yield path;
  }
}

/** No zero byte at the beginning: such a file is a program or an image. */
export function isText(bytes: Uint8Array): boolean {
  return !bytes.subarray(0, 4096).includes(0);
}

export interface Benign {
  readonly megabytes: number;
  readonly findings: readonly { readonly rule: string; readonly file: string }[];
  /** Texts for the measurement of speed. */
  readonly texts: readonly string[];
  /** What a model might answer: prose and code, neither minified nor generated. */
  readonly answers: readonly string[];
}

/** Most bytes of a text for speed, and of an answer. */
const MAX_TEXT = 300_000;
const MAX_ANSWER = 60_000;
const MAX_TEXTS = 400;

/** Scans every text file below a directory that contains no secret. */
export function scanBenign(scanner: Scanner, directory: string): Benign {
  let megabytes = 0;
  const findings: { rule: string; file: string }[] = [];
  const texts: string[] = [];
  const answers: string[] = [];
  for (const file of textFiles(directory)) {
    const bytes = readFileSync(file);
    if (!isText(bytes)) continue;
    megabytes += bytes.length / 1e6;
    findings.push(...scanner.scanBody(bytes, 'text/plain').findings.map(({ rule }) => ({ rule, file })));
    if (bytes.length > MAX_TEXT) continue;
    if (texts.length < MAX_TEXTS) texts.push(bytes.toString('utf8'));
    if (/\.(?:md|[cm]?[jt]s|json|py|css)$/.test(file) && bytes.length < MAX_ANSWER)
      answers.push(bytes.toString('utf8'));
  }
  return { megabytes, findings, texts, answers };
}

/** So many of the items, evenly spaced. */
export function takeSpread<Item>(all: readonly Item[], count: number): readonly Item[] {
  const step = Math.max(1, Math.floor(all.length / count));
  return all.filter((_, index) => index % step === 0).slice(0, count);
}
