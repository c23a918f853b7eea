import { watchStandardOutput } from '../process/machine.ts';
import { VERSION } from '../process/product.ts';

/**
 * Answers `gw --version` and `gw --help` without reading the machine or the environment.
 * @param rest what is left to be written where the text was prepared and began to be written already; else null
 */
export async function answerQuickly(word: string, rest: Uint8Array | null): Promise<void> {
  watchStandardOutput();
  if (rest !== null) process.stdout.write(rest);
  else if (word === '--version' || word === '-V') process.stdout.write(`${VERSION}\n`);
  else process.stdout.write((await import('./overview.ts')).overview(process.stdout.columns ?? null));
}
