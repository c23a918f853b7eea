import { looksLikeSlug, refuseName } from '../configuration/registry.ts';
import { FIXES, readText } from '../files/reading.ts';
import { type Environment, pathFrom } from '../process/environment.ts';
import { WrongUsage } from '../process/fault.ts';

/** One word that nobody means as an instruction: a mistyped path must not become one. */
const ONLY_A_PATH = /^(?:\.{1,2}|~)\/\S+$|^\S+\.(?:md|txt)$/;

/** The text of `--rule` or `--prompt`: the content of the file that has this name, else the words themselves. */
export async function textOrFile(environment: Environment, option: string, word: string): Promise<string> {
  if (word.includes('\n') || word.length > 1024) return word;
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
