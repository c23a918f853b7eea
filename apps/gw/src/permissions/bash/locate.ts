import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { checkedOut } from './git.ts';
import { doesNotRunItsWords } from './known-programs.ts';
import { type ResolvedPath, realPathOf, resolvePath } from './resolved-path.ts';
import { nameOf } from './started.ts';
import type { ParsedLine, SimpleCommand, Word } from './types.ts';
import { literal } from './words.ts';

const REMOVERS = new Set(['rm', 'rmdir', 'unlink', 'shred']);
const MOVERS = new Set(['cd', 'pushd', 'popd']);
const MOST_DIRECTORIES = 256;

/**
 * Finds out where the redirections, removals and checkouts of a line lead. A line that changes its directory is looked at from
 * every directory in which a command may run; where one of them is not known, so is every relative path.
 */
export async function locate(line: ParsedLine, project: string, directory: string): Promise<ParsedLine> {
  const directories = await directoriesOf(line, directory);
  const commands: SimpleCommand[] = [];
  for (const [at, command] of line.commands.entries()) {
    const find = (word: Word): Promise<readonly (ResolvedPath | null)[]> =>
      resolveWord(word, project, directories?.[at] ?? null);
    const redirections = await Promise.all(
      command.redirections.map(async (one) => (await find(one.target)).map((resolved) => ({ ...one, resolved }))),
    );
    const removes = await Promise.all(findRemoved(command).map(find));
    const operand = checkedOut(command.words);
    const paths = operand === null ? [] : await find(operand);
    const checksOutPath = paths.some((resolved) => resolved === null || existsSync(resolved.path));
    commands.push({ ...command, redirections: redirections.flat(), removes: removes.flat(), checksOutPath });
  }
  return { ...line, commands };
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
  const text = withHome(word.text);
  // The shell resolves `link/../x` from the link's target.
  if (word.dynamic || /[^/.]\/(?:.*\/)?\.\.(?:\/|$)/.test(text) || text.startsWith('~')) return [null];
  if (isAbsolute(text)) return [await resolvePath(text, project, project)];
  if (directories === null) return [null];
  return Promise.all(directories.map((from) => resolvePath(text, project, from)));
}

function withHome(text: string): string {
  return text === '~' || text.startsWith('~/') ? join(homedir(), text.slice(1)) : text;
}

/** The paths that a command removes; of a program that is not known also what it would remove if it started its words. */
function findRemoved(command: SimpleCommand): readonly Word[] {
  const own = findRemovedBy(command.words);
  if (own.length > 0 || doesNotRunItsWords(command)) return own;
  const started = command.words.flatMap((_, at) => findRemovedBy(command.words.slice(at + 1)));
  return started.filter(({ dynamic }) => !dynamic);
}

function findRemovedBy([name, ...rest]: readonly Word[]): readonly Word[] {
  if (name === undefined || name.dynamic) return [];
  if (REMOVERS.has(nameOf(name))) {
    const end = rest.findIndex(({ text, dynamic }) => text === '--' && !dynamic);
    return rest.filter(
      ({ text, dynamic }, at) => at !== end && (dynamic || (end >= 0 && at > end) || !text.startsWith('-')),
    );
  }
  if (nameOf(name) !== 'find' || !rest.some(({ text }) => text === '-delete')) return [];
  const words = rest.slice(rest.findIndex(({ text, dynamic }) => dynamic || !/^-(?:[HLP]|O\d?)$/.test(text)));
  const expression = words.findIndex(({ text, dynamic }) => !dynamic && /^[-(!]/.test(text));
  const selects = words
    .slice(expression)
    .some(({ text }) => !/^-(?:delete|depth|d|mindepth|xdev|mount|\d+)$/.test(text));
  const starts = words.slice(0, expression);
  return selects ? starts.filter(({ text }) => text !== '.') : starts.length === 0 ? [literal('.')] : starts;
}
