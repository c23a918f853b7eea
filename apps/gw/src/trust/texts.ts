import { resolve } from 'node:path';
import { looksLikeSlug, refuseName } from '../configuration/registry.ts';
import { FIXES, readText } from '../files/reading.ts';
import { type Environment, pathFrom } from '../process/environment.ts';
import { WrongUsage } from '../process/fault.ts';
import { type Project, staysWithin } from '../project/project.ts';
import { isWebAddress } from './decide.ts';
import type { Origin } from './types.ts';

/** One word that nobody means as an instruction: a mistyped path must not become one. */
const ONLY_A_PATH = /^(?:\.{1,2}|~)\/\S+$|^\S+\.(?:md|txt)$/;

/** The text of `--rule` or `--prompt`: the content of the file that has this name, else the words themselves. */
export async function textOrFile(environment: Environment, option: string, word: string): Promise<string> {
  if (isProse(word)) return word;
  const reading = await readText(pathFrom(environment, word));
  if (reading.state === 'read') return reading.text.trim();
  if (reading.state === 'absent' || reading.state === 'directory') {
    if (looksLikeSlug(word)) refuseName(option, word);
    if (reading.state === 'absent' && ONLY_A_PATH.test(word))
      throw new WrongUsage(`${option} ${word}: there is no such file. Correct the path.`);
    return word;
  }
  throw new WrongUsage(`${option} ${word} cannot be read: ${FIXES[reading.state]}`);
}

/**
 * The text of a rule or a prompt that a project's file gives: words, or the content of a file inside the project, links
 * resolved. Null where it is neither; then `notices` gets a line.
 */
export async function textOfProject(project: Project, word: string, notices: string[]): Promise<string | null> {
  const leftOut = (why: string): null => {
    notices.push(`A rule of this project is ignored: ${word} ${why}`);
    return null;
  };
  if (isWebAddress(word)) return leftOut('is an address, and gw reads rules from files of the project alone.');
  if (isProse(word)) return word;
  const path = resolve(project.directory, word);
  if (!(await staysWithin(project.directory, path))) return leftOut('leads out of the project.');
  const reading = await readText(path);
  if (reading.state === 'read') return reading.text.trim();
  if (reading.state === 'directory' && !ONLY_A_PATH.test(word)) return word;
  if (reading.state !== 'absent') return leftOut(`cannot be read: ${FIXES[reading.state]}`);
  return ONLY_A_PATH.test(word) ? leftOut('does not exist.') : word;
}

/** The texts of rules, by whose word they are. */
export async function textsOf(
  environment: Environment,
  project: Project,
  { origin, option, words }: { readonly origin: Origin; readonly option: string; readonly words: readonly string[] },
  notices: string[],
): Promise<readonly string[]> {
  const texts = words.map((word) =>
    origin === 'user' ? textOrFile(environment, option, word) : textOfProject(project, word, notices),
  );
  return (await Promise.all(texts)).filter((text) => text !== null);
}

/** Too long for a path, or of several lines. */
function isProse(word: string): boolean {
  return word.includes('\n') || word.length > 1024;
}
