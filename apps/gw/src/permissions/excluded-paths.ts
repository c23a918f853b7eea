import { readdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import ignore from 'ignore';
import { collectExclusions } from './decisions.ts';
import { isAbout, type Rule } from './rule.ts';
import type { RuleSet } from './types.ts';

/** Folders that are not searched: they hold what others made, and are large. */
const SKIPPED = new Set(['.git', 'node_modules']);

/** The files and folders of the project that the rules exclude from reading or writing, absolute. */
export async function findExcludedPaths(
  rules: Pick<RuleSet, 'policy' | 'options' | 'configuration'>,
  project: string,
): Promise<{ readonly unreadable: readonly string[]; readonly unwritable: readonly string[] }> {
  const all = collectExclusions({ ...rules, mode: 'normal' } as RuleSet).map(({ rule }) => rule);
  const of = (...tools: readonly string[]): readonly string[] =>
    all.flatMap((rule: Rule) =>
      rule.pattern !== null && tools.some((tool) => isAbout(rule, tool)) ? [rule.pattern] : [],
    );
  const [unreadable, unwritable] = [of('Read'), of('Write', 'Edit', 'MultiEdit')];
  return { unreadable: await matching(unreadable, project), unwritable: await matching(unwritable, project) };
}

async function matching(patterns: readonly string[], project: string): Promise<readonly string[]> {
  if (patterns.length === 0) return [];
  const inside = patterns.flatMap((pattern) =>
    isAbsolute(pattern) && pattern.startsWith(`${project}/`) ? [pattern.slice(project.length)] : [pattern],
  );
  const matcher = ignore({ ignorecase: true }).add(inside);
  // `locked/**` means the folder as well.
  const folders = ignore({ ignorecase: true }).add(
    inside.flatMap((one) => (one.endsWith('/**') ? [one.slice(0, -2)] : [])),
  );
  const found: string[] = [];
  const queue = [''];
  for (let folder = queue.shift(); folder !== undefined; folder = queue.shift()) {
    const entries = await readdir(join(project, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const isFolder = entry.isDirectory();
      const named = isFolder ? `${path}/` : path;
      if (matcher.ignores(named) || folders.ignores(named)) found.push(join(project, path));
      else if (isFolder && !SKIPPED.has(entry.name)) queue.push(path);
    }
  }
  return found;
}
