import { looksLikeSlug, refuseName } from '../configuration/registry.ts';
import { FIXES, readText } from '../files/reading.ts';
import { type Environment, pathFrom } from '../process/environment.ts';
import { WrongUsage } from '../process/fault.ts';

/** The text of `--rule` or `--prompt`: the content of the file that has this name, else the words themselves. */
export async function textOrFile(environment: Environment, option: string, word: string): Promise<string> {
  if (word.includes('\n') || word.length > 1024) return word;
  const reading = await readText(pathFrom(environment, word));
  if (reading.state === 'read') return reading.text.trim();
  if (reading.state === 'absent' || reading.state === 'directory') {
    if (looksLikeSlug(word)) refuseName(option, word);
    return word;
  }
  throw new WrongUsage(`${option} ${word} cannot be read: ${FIXES[reading.state]}`);
}
