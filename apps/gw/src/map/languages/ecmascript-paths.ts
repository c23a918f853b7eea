import { posix } from 'node:path';
import { parse as parseJsonc } from 'yaml';
import { type ProjectIndex, within } from '../facts/project-index.ts';
import { fitting, isRecord } from './ecmascript-patterns.ts';

interface Aliases {
  /** Directory that `baseUrl` names; null without one. */
  readonly base: string | null;
  readonly paths: Readonly<Record<string, readonly string[]>>;
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
  for (const { value: targets, middle } of fitting(aliases?.paths ?? {}, from)) {
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
    const { compilerOptions, extends: parents } = configurationOf(text);
    const { baseUrl, paths } = isRecord(compilerOptions) ? compilerOptions : {};
    const inherited = textsIn(parents).reduce<Aliases | null>((last, parent) => {
      const there = within(directory, parent.endsWith('.json') ? parent : `${parent}.json`);
      return parent.startsWith('.') ? (aliasesOf(project, there, depth + 1) ?? last) : last;
    }, null);
    const base = typeof baseUrl === 'string' ? within(directory, baseUrl) : null;
    const own = Object.entries(isRecord(paths) ? paths : {}).map(([pattern, targets]) => [
      pattern,
      textsIn(targets).map((target) => within(base ?? directory, target)),
    ]);
    return {
      base: base ?? inherited?.base ?? null,
      paths: own.length > 0 ? (Object.fromEntries(own) as Aliases['paths']) : (inherited?.paths ?? {}),
    };
  });
}

/** The texts of a text or a list; what else is there is left out. */
function textsIn(value: unknown): readonly string[] {
  return [value].flat().filter((each) => typeof each === 'string');
}

/** tsconfig.json allows comments and trailing commas; a YAML parser reads it once comments are removed. */
function configurationOf(text: string): Readonly<Record<string, unknown>> {
  const bare = text.replaceAll(
    /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
    (_, string: string | undefined) => string ?? '',
  );
  try {
    const value: unknown = parseJsonc(bare.replaceAll('\t', ' '));
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
