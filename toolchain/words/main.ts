import { globSync, readFileSync } from 'node:fs';
import { commentsOfCode, messagesOfCode } from './code.ts';
import { bannedWords, longSentences } from './faults.ts';
import { textsOfMarkdown } from './markdown.ts';
import type { Fault } from './text.ts';

const DOCUMENTS = ['*.md', 'docs/**/*.md', 'site/pages/**/*.md'];
const CODE = ['{apps,bench,packages,site,tests,toolchain}/**/*.{ts,tsx,mjs,sql}'];

/**
 * Not read: copies of packages and artifacts; the course, whose lessons are bound to code by digests; migrations, which are never
 * edited; lists of words that are data.
 */
const LEFT_OUT = [
  /(?:^|\/)(?:node_modules|dist|\.vitepress)(?:\/|$)/,
  /^docs\/course\//,
  /^packages\/database\/migrations\//,
  /^packages\/documentation\/src\/search\/(?:synonym-groups|phrases|stop-words|languages\.test)\.ts$/,
  /^toolchain\/words\//,
];

const isLeftOut = (path: string): boolean => LEFT_OUT.some((pattern) => pattern.test(path));

function filesOf(patterns: readonly string[]): readonly string[] {
  return globSync([...patterns], { exclude: isLeftOut })
    .filter((path) => !isLeftOut(path))
    .sort();
}

const faults: string[] = [];
function report(file: string, found: readonly Fault[]): void {
  for (const { line, message } of found) faults.push(`${file}:${line}: ${message}`);
}

for (const file of filesOf(DOCUMENTS)) {
  const texts = textsOfMarkdown(readFileSync(file, 'utf8'));
  report(file, texts.flatMap(bannedWords));
  report(file, texts.flatMap(longSentences));
}
for (const file of filesOf(CODE)) {
  const source = readFileSync(file, 'utf8');
  report(file, [...commentsOfCode(file, source), ...messagesOfCode(file, source)].flatMap(bannedWords));
}
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
