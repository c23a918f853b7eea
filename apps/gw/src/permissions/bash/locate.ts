import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { gitFolder } from '../programs/git-changing.ts';
import { literal, literalOf, nameOf, type Word } from '../programs/program.ts';
import { doesNotRunItsWords, useOf } from '../programs/table.ts';
import { isGit } from './git-aliases.ts';
import { isWithin, type ResolvedPath, realPathOf, resolvePath } from './resolved-path.ts';
import type { LocatedPath, ParsedLine, SimpleCommand } from './types.ts';

const MOVERS = new Set(['cd', 'pushd', 'popd']);
const MOST_DIRECTORIES = 256;

/** What programs open without a file behind it. */
const STREAMS = /^(?:-|\/dev\/(?:null|zero|u?random|std(?:in|out|err)|tty|fd\/\d+))$/;

/**
 * Finds out where the redirections and paths of a line lead. A line that changes its directory is looked at from every directory
 * in which a command may run; where one of them is not known, so is every relative path.
 */
export async function locate(line: ParsedLine, project: string, directory: string): Promise<ParsedLine> {
  const directories = await directoriesOf(line, directory);
  const commands: SimpleCommand[] = [];
  for (const [at, command] of line.commands.entries()) {
    const from = directories?.[at] ?? null;
    const redirections = await Promise.all(
      command.redirections.map(async (one) =>
        (await resolveWord(one.target, project, from)).map((resolved) => ({ ...one, resolved })),
      ),
    );
    const guessed = doesNotRunItsWords(command.words) ? [] : removedByWords(command.words);
    const folder = gitFolder(command.words);
    const paths: LocatedPath[] = [];
    for (const path of [...command.use.paths, ...guessed]) {
      const text = literalOf(path);
      if (text !== null && STREAMS.test(text)) continue;
      const word =
        folder === null || text === null || isAbsolute(withHome(text)) ? path.word : below(folder, path.word, text);
      for (const resolved of await resolveWord(word, project, from)) paths.push({ ...path, resolved });
    }
    const folders = isGit(command) && from !== null ? { folders: foldersOf(folder, from) } : {};
    commands.push({ ...command, redirections: redirections.flat(), paths, ...folders });
  }
  return { ...line, commands };
}

/** The folders in which git works; none where the one of `-C` is not known. */
function foldersOf(folder: Word | null, directories: readonly string[]): readonly string[] {
  const text = folder === null ? '.' : literalOf({ word: folder });
  return text === null ? [] : directories.map((from) => resolve(from, withHome(text)));
}

/** `git -C folder`: its paths begin there. */
function below(folder: Word, word: Word, text: string): Word {
  const start = literalOf({ word: folder });
  return start === null ? folder : { ...literal(`${start}/${text}`), splits: word.splits };
}

/** For each command of the line the directories in which it may run, links resolved. Null: not known. */
async function directoriesOf(line: ParsedLine, directory: string): Promise<readonly (readonly string[])[] | null> {
  const stops = stopsWhereOneFails(line);
  // As Bash names them: `cd link; cd ..` goes back to where the link is, unless an option or a setting resolves links.
  let current = new Set([directory]);
  const all = new Set(current);
  const before: (readonly string[])[] = [];
  for (const { words, assignments } of line.commands) {
    const [name, ...rest] = words;
    if (assignments.includes('CDPATH') || startsElsewhere(words)) return null;
    before.push([...current]);
    if (name === undefined || name.dynamic || !MOVERS.has(name.text)) continue;
    const target = rest.find(({ text, dynamic }) => dynamic || !/^-[LPe@-]+$/.test(text));
    if (name.text !== 'cd') return null;
    if (target === undefined || target.dynamic || target.splits || target.text === '-') return null;
    const to = withHome(target.text);
    const next = stops ? new Set<string>() : new Set(current);
    for (const from of current) {
      next.add(resolve(from, to));
      next.add(await realPathOf(isAbsolute(to) ? to : `${from}/${to}`));
    }
    if (next.size > MOST_DIRECTORIES) return null;
    current = next;
    for (const one of next) all.add(one);
  }
  const real = async (ones: Iterable<string>): Promise<readonly string[]> => [
    ...new Set(await Promise.all(Array.from(ones, realPathOf))),
  ];
  if (stops) return Promise.all(before.map(real));
  const anywhere = await real(all); // loops and functions go back
  return before.map(() => anywhere);
}

/** Whether the line is a plain `a && b && c`: what follows a `cd` runs only if it succeeded. Any other line counts as not. */
function stopsWhereOneFails({ source, commands }: ParsedLine): boolean {
  if (!/^(?:[^;\n|&(){}`'"\\!$]|&&)*$/.test(source)) return false;
  const written = source.split('&&').filter((part) => /^\s*cd\s/.test(part)).length;
  return written === commands.filter(({ words: [name] }) => name?.text === 'cd').length;
}

/** `env -C / rm x`, `find / -execdir rm x ';'`: what they start runs in another directory. */
function startsElsewhere([name, ...rest]: readonly Word[]): boolean {
  if (name === undefined || name.dynamic) return false;
  const program = nameOf(name);
  const has = (pattern: RegExp): boolean => rest.some(({ text }) => pattern.test(text));
  if (program === 'find') return has(/^-(?:execdir|okdir)$/);
  if (program === 'env') return has(/^(?:-[A-Za-z]*C|--c)/);
  if (program === 'sudo' || program === 'doas') return has(/^(?:-[A-Za-z]*[DRi]|--(?:c|login))/);
  return program === 'chroot' || (program === 'unshare' && has(/^(?:-[A-Za-z]*[Rw]|--(?:root|wd))/));
}

async function resolveWord(
  word: Word,
  project: string,
  directories: readonly string[] | null,
): Promise<readonly (ResolvedPath | null)[]> {
  const known = literalOf({ word });
  if (known === null) return [null];
  const text = withHome(known);
  // The shell resolves `link/../x` from the link's target.
  if (/[^/.]\/(?:.*\/)?\.\.(?:\/|$)/.test(text) || text.startsWith('~')) return [null];
  if (directories === null && !isAbsolute(text)) return [null];
  const found: (ResolvedPath | null)[] = [];
  for (const from of isAbsolute(text) ? ['/'] : (directories ?? [])) {
    const names = word.splits ? expandGlob(text, from) : [text];
    if (names === null) return [null];
    for (const name of names) found.push(await resolvePath(name, project, from));
  }
  return found;
}

function withHome(text: string): string {
  return text === '~' || text.startsWith('~/') ? join(homedir(), text.slice(1)) : text;
}

/** Names beyond which it is not followed what a pattern stands for. */
const MOST_NAMES = 2000;

/** The names that the shell may put for a pattern, and the pattern itself; null where there are too many to look at. */
function expandGlob(pattern: string, directory: string): readonly string[] | null {
  let found = [pattern.startsWith('/') ? '/' : ''];
  for (const part of pattern.split('/').filter(Boolean)) {
    if (!/[*?[]/.test(part)) {
      found = found.map((one) => join(one, part));
      continue;
    }
    const matcher = matcherOf(part);
    const next: string[] = [];
    for (const one of found) {
      for (const name of namesIn(join(directory, one))) if (matcher.test(name)) next.push(join(one, name));
      if (next.length > MOST_NAMES) return null;
    }
    found = next;
  }
  return [pattern, ...found];
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** At least what the shell takes: any character for a class, and hidden files only where the pattern may begin with a dot. */
function matcherOf(part: string): RegExp {
  const plain = part
    .replaceAll(/\[[^\]]*\]/g, '?')
    .replaceAll(/[.+^${}()|\\\]]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll(/\?/g, '.')
    .replaceAll('[', '.*');
  return new RegExp(`^${/^[*?]/.test(part) ? '(?!\\.)' : ''}${plain}$`, 's');
}

/** Programs that are looked for among the words of a program that may start them. */
const DESTROYERS = new Set(['git', 'rm', 'rmdir', 'unlink', 'shred', 'find', 'rsync']);

/**
 * Why a command always asks, even if a rule allows it: it removes more than the files that it names, removes files outside the
 * project, or destroys what git stores. Null if it does not.
 */
export function alwaysAsks(command: SimpleCommand): string | null {
  const removed = command.paths.filter(({ role }) => role === 'removes');
  if (
    removed.some(
      ({ resolved }) =>
        resolved === null || resolved.relative === null || /^(?:\*+|\.git(?:\/.*)?)?$/.test(resolved.relative),
    )
  ) {
    return 'It removes files outside the project, the whole project, or what git keeps.';
  }
  const discards = command.paths.some(
    ({ role, resolved }) => role === 'discards' && (resolved === null || existsSync(resolved.path)),
  );
  if (discards) return 'It discards changes of the work tree and cannot be undone.';
  const what = command.use.destroys ?? (doesNotRunItsWords(command.words) ? null : destroyedByWords(command.words));
  return what === null ? null : `${what}.`;
}

/** `some-wrapper git reset --hard`: of a program that is not known to start nothing, any word may be a program. */
function destroyedByWords(words: readonly Word[]): string | null {
  for (const [at, word] of words.entries()) {
    if (at === 0 || word.dynamic || !DESTROYERS.has(nameOf(word).toLowerCase())) continue;
    const { destroys } = useOf(words.slice(at));
    if (destroys !== null) return destroys;
  }
  return null;
}

/** The paths that words of an unknown program would remove if it started them. */
function removedByWords(words: readonly Word[]): readonly LocatedPath[] {
  return words.flatMap((word, at) =>
    at > 0 && !word.dynamic && DESTROYERS.has(nameOf(word).toLowerCase())
      ? useOf(words.slice(at)).paths.flatMap((path) =>
          path.role === 'removes' && !path.word.dynamic ? [{ ...path, at: path.at + at, resolved: null }] : [],
        )
      : [],
  );
}

/**
 * Whether a line writes where gw keeps its configuration, approvals and record. A path that is not known before the line runs
 * counts if the line names that folder.
 */
export function writesBelow(folder: string | null, { source, commands }: ParsedLine): boolean {
  const named = source.replaceAll(/['"\\]/g, '').includes('.gateway');
  const leadsThere = (path: string | undefined, deep: boolean): boolean =>
    isWithin(folder, path) || (deep && folder !== null && path !== undefined && isWithin(path, folder));
  return commands.some(
    ({ redirections, paths, use }) =>
      redirections.some(({ effect, resolved }) =>
        effect !== 'write' ? false : resolved === null ? named : leadsThere(resolved.path, false),
      ) ||
      paths.some(({ role, resolved, deep }) =>
        role === 'reads' || role === 'lists'
          ? !use.known && use.acts && named && isWithin(folder, resolved?.path)
          : resolved === null
            ? named
            : leadsThere(resolved.path, deep),
      ),
  );
}

/** The same for a line of which parts cannot be judged: by its text alone. */
export function mayDestroy(line: ParsedLine): string | null {
  if (line.parsed && line.opaque.length === 0) return null;
  const text = line.source.replaceAll(/['"\\]/g, '');
  const destructive =
    /\bgit\b[\s\S]*\b(?:push\b[\s\S]*(?:-f|--f|\+|--d|--m|:)|reset\b[\s\S]*--h|clean\b|branch\b[\s\S]*-[dD]|filter-|rm\b)|\brm\b[\s\S]*(?:\.\.|\s\/|~|\$|\*|\s-\w*[rR]|--r)|\bfind\b[\s\S]*-(?:delete|exec)|\brsync\b[\s\S]*--(?:del|rem)/;
  return destructive.test(text) ? 'Parts of it cannot be judged, and it may destroy files or branches.' : null;
}
