import { posix } from 'node:path';
import { parse as parseJsonc } from 'yaml';
import { type ProjectIndex, within } from '../facts/project-index.ts';

interface Aliases {
  /** Directory that `baseUrl` names; null without one. */
  readonly base: string | null;
  readonly paths: readonly { readonly pattern: string; readonly targets: readonly string[] }[];
}

type ResolveFile = (project: ProjectIndex, path: string) => string | null;

const NAMES = ['tsconfig.json', 'jsconfig.json', 'tsconfig.base.json'];
/** Files that extend each other in a circle, or without end. */
const MAX_EXTENDS = 8;

/** The file that `paths` or `baseUrl` of the nearest tsconfig.json means; null where none fits. */
export function resolveAlias(project: ProjectIndex, path: string, from: string, file: ResolveFile): string | null {
  for (let at = posix.dirname(path); ; at = posix.dirname(at)) {
    for (const name of NAMES) {
      const found = resolveIn(aliasesOf(project, within(at, name)), project, from, file);
      if (found !== null) return found;
    }
    if (at === '.') return null;
  }
}

function resolveIn(aliases: Aliases | null, project: ProjectIndex, from: string, file: ResolveFile): string | null {
  for (const { pattern, targets } of aliases?.paths ?? []) {
    const star = pattern.indexOf('*');
    const [head, tail] = star < 0 ? [pattern, ''] : [pattern.slice(0, star), pattern.slice(star + 1)];
    if (star < 0 ? from !== pattern : !(from.startsWith(head) && from.endsWith(tail))) continue;
    const middle = star < 0 ? '' : from.slice(head.length, from.length - tail.length);
    for (const target of targets) {
      const found = file(project, target.replace('*', middle));
      if (found !== null) return found;
    }
  }
  return aliases?.base == null ? null : file(project, within(aliases.base, from));
}

function aliasesOf(project: ProjectIndex, path: string, depth = 0): Aliases | null {
  const text = project.manifest(path);
  if (text === undefined || depth > MAX_EXTENDS) return null;
  return project.once(`aliases ${path}`, () => {
    const directory = posix.dirname(path);
    const { compilerOptions = {}, extends: parents = [] } = configurationOf(text);
    const inherited = [parents].flat().reduce<Aliases | null>((last, parent) => {
      const there = within(directory, parent.endsWith('.json') ? parent : `${parent}.json`);
      return parent.startsWith('.') ? (aliasesOf(project, there, depth + 1) ?? last) : last;
    }, null);
    const base = compilerOptions.baseUrl === undefined ? null : within(directory, compilerOptions.baseUrl);
    const own = Object.entries(compilerOptions.paths ?? {}).map(([pattern, targets]) => ({
      pattern,
      targets: targets.map((target) => within(base ?? directory, target)),
    }));
    return { base: base ?? inherited?.base ?? null, paths: own.length > 0 ? own : (inherited?.paths ?? []) };
  });
}

interface Configuration {
  readonly compilerOptions?: { readonly baseUrl?: string; readonly paths?: Readonly<Record<string, string[]>> };
  readonly extends?: string | string[];
}

/** tsconfig.json allows comments and trailing commas; a YAML parser reads it once comments are removed. */
function configurationOf(text: string): Configuration {
  const bare = text.replaceAll(
    /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
    (_, string: string | undefined) => string ?? '',
  );
  try {
    return (parseJsonc(bare.replaceAll('\t', ' ')) as Configuration | null) ?? {};
  } catch {
    return {};
  }
}
