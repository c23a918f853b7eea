import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Environment } from '../../process/environment.ts';
import { type CodeMap, readCodeMap } from '../code-map.ts';

/** A directory with these files, and an empty home beside it; removed when the test ends. */
export function projectOf(files: Readonly<Record<string, string>>): { directory: string; environment: Environment } {
  const root = mkdtempSync(join(tmpdir(), 'gw-map-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const directory = join(root, 'project');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  const variables = new Map([['PATH', process.env.PATH ?? '']]);
  const environment = { variables, homeDirectory: root, workingDirectory: directory, userName: null, userId: null };
  return { directory, environment };
}

/** The map of these files. What is read without the uses of symbols must give the same imports. */
export async function mapOf(files: Readonly<Record<string, string>>): Promise<CodeMap> {
  const { directory, environment } = projectOf(files);
  const project = { directory, repository: false, foreign: false };
  const quick = await readCodeMap(project, environment, new Date(), false);
  const whole = await readCodeMap(project, environment, new Date(), true);
  expect(arrowsOf(quick)).toEqual(arrowsOf(whole));
  return whole;
}

/** Imports as `from -> to`, sorted. */
export function arrowsOf({ imports }: CodeMap): readonly string[] {
  return [...imports].flatMap(([from, targets]) => [...targets].map((to) => `${from} -> ${to}`)).toSorted();
}

/** What the first of these files imports, sorted. */
export async function importsOfFirst(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const [first = ''] = Object.keys(files);
  const { imports } = await mapOf(files);
  return [...(imports.get(first) ?? [])].toSorted();
}
