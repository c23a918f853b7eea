import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Place, placeOf } from './places.ts';
import type { ParsedLine, SimpleCommand, Word } from './types.ts';
import { nameOf } from './wrappers.ts';

const REMOVERS = new Set(['rm', 'rmdir', 'unlink', 'shred']);
const MOVERS = new Set(['cd', 'pushd', 'popd']);

/**
 * Finds out where the redirections and removals of a line lead. A line that changes its directory is looked at from
 * every directory it names; where one of them is not known, so is every relative path.
 */
export async function locate(line: ParsedLine, project: string, directory: string): Promise<ParsedLine> {
  const directories = await directoriesOf(line, project, directory);
  const find = (word: Word): Promise<Place | null> => placeOfWord(word, project, directories);
  const commands: SimpleCommand[] = [];
  for (const command of line.commands) {
    const redirections = await Promise.all(
      command.redirections.map(async (one) => ({ ...one, place: await find(one.target) })),
    );
    commands.push({ ...command, redirections, removes: await Promise.all(removed(command).map(find)) });
  }
  return { ...line, commands };
}

/** Null: not known. */
async function directoriesOf(line: ParsedLine, project: string, directory: string): Promise<readonly string[] | null> {
  const directories = [directory];
  for (const { words } of line.commands) {
    const [name, ...rest] = words;
    if (name === undefined || name.dynamic || !MOVERS.has(name.text)) continue;
    const target = rest.find(({ text, dynamic }) => dynamic || !/^-[LPe@]*$/.test(text) || text === '-');
    if (target === undefined || target.dynamic || target.splits || target.text === '-') return null;
    const from = directories.at(-1) ?? directory;
    directories.push((await placeOf(withHome(target.text), project, from)).path);
  }
  return directories;
}

async function placeOfWord(word: Word, project: string, directories: readonly string[] | null): Promise<Place | null> {
  const text = withHome(word.text);
  // The shell resolves `link/../x` from the link's target.
  if (word.dynamic || /[^/.]\/(?:.*\/)?\.\.(?:\/|$)/.test(text) || text.startsWith('~')) return null;
  if (directories === null && !text.startsWith('/')) return null;
  const places = await Promise.all((directories ?? [project]).map((from) => placeOf(text, project, from)));
  return places.find(({ relative }) => relative === null) ?? places.at(-1) ?? null;
}

function withHome(text: string): string {
  return text === '~' || text.startsWith('~/') ? join(homedir(), text.slice(1)) : text;
}

function removed({ words }: SimpleCommand): readonly Word[] {
  const [name, ...rest] = words;
  if (name === undefined || name.dynamic) return [];
  if (REMOVERS.has(nameOf(name))) return rest.filter(({ text, dynamic }) => dynamic || !text.startsWith('-'));
  if (nameOf(name) !== 'find' || !rest.some(({ text }) => text === '-delete')) return [];
  const expression = rest.findIndex(({ text, dynamic }) => !dynamic && /^[-(!]/.test(text));
  return expression <= 0 ? [] : rest.slice(0, expression).filter(({ text }) => text !== '.');
}
