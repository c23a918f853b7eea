import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  AREAS,
  citationsOf,
  clausesOf,
  repeatedClauses,
  uncoveredClauses,
  unknownCitations,
} from './contract/clauses.ts';
import { commentsOfCode, messagesOfCode } from './words/code.ts';
import type { Text } from './words/text.ts';

const ROOT = join(import.meta.dirname, '..');
const CODE = '{apps,bench,packages,site,tests,toolchain}/**/*.{ts,tsx,mjs,sql}';
const GENERATED = /(?:^|\/)(?:node_modules|dist)(?:\/|$)/;

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

function clausesOfArea(area: string): readonly string[] {
  return clausesOf(read(`docs/contract/${area}.md`));
}

const citationsOfText = ({ text }: Text): readonly string[] => citationsOf(text);

/** A title of a test cites at its end, in parentheses. */
const titlesOf = (file: string): readonly Text[] =>
  messagesOfCode(file, read(file)).filter(({ text }) => /\([a-z]+-\d+(?:, [a-z]+-\d+)*\)$/.test(text));

function citations(): ReadonlyMap<string, readonly string[]> {
  const files = globSync(CODE, { cwd: ROOT, exclude: (path) => GENERATED.test(path) });
  return new Map(
    files.map((file) => [file, [...commentsOfCode(file, read(file)), ...titlesOf(file)].flatMap(citationsOfText)]),
  );
}

describe('the contract', () => {
  it.each(AREAS)('%s numbers its clauses upwards, under its own name', (area) => {
    const names = clausesOfArea(area);
    const numbers = names.map((name) => Number(name.replace(`${area}-`, '')));
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(numbers.every((number) => Number.isInteger(number) && number > 0)).toBe(true);
  });

  const clauses = AREAS.flatMap(clausesOfArea);
  const cited = citations();

  it('has each clause once', () => expect(repeatedClauses(clauses)).toEqual([]));

  it('has every clause that is cited', () => expect(unknownCitations({ clauses, citations: cited })).toEqual([]));

  it('has a test that cites each clause', () => expect(uncoveredClauses({ clauses, citations: cited })).toEqual([]));
});
