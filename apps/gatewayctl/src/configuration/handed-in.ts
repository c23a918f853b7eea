import { HIGHEST_USUAL_PRICE, type InputFault, PRICES } from '@gateway/access/declarations';
import { storable } from '@gateway/contract';
import { legible } from '@gateway/contract/legible';
import { maskText } from '@gateway/secrets';
import type { Context } from '../context/context.ts';
import { CommandFailed } from '../context/fault.ts';
import { readText } from '../context/text-file.ts';
import type { ConfigurationDocument } from './document.ts';
import { type PlacedFault, pathText, type ReadConfiguration, readConfiguration } from './read.ts';

export type Readable = Extract<ReadConfiguration, { readonly document: unknown }>;

/** Most faults that are shown: the rest often follows from the first. */
const MOST_SHOWN = 20;

/** Prints each fault on a separate line, as compilers do, then fails. */
export function failWith({ terminal }: Context, file: string, faults: readonly PlacedFault[]): never {
  const name = file === '-' ? 'standard input' : file;
  for (const { line, path, sentence } of faults.slice(0, MOST_SHOWN)) {
    terminal.report(`${legible(`${name}:${line}: ${pathText(path)} ${sentence}`)}\n`);
  }
  const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`;
  throw new CommandFailed(`${name} was not used: ${count}. Nothing was changed.`);
}

/**
 * Reads a configuration file.
 * @param refused called for a file that is refused, before the command fails
 */
export async function readHandedIn(
  context: Context,
  file: string,
  refused: (value: unknown, faults: readonly PlacedFault[]) => Promise<void> = async () => undefined,
): Promise<Readable> {
  const read = readConfiguration(readText(file));
  if ('document' in read) return read;
  await refused(read.value, read.faults);
  return failWith(context, file, read.faults);
}

/** A text as the logs keep it: no secret, and nothing that cannot be stored. */
export const kept = (text: string): string => maskText(storable(text));

const EUROS = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 6 });

/** Prices that are probably for a million tokens. `apply` refuses them unless it is forced. */
export function unusualPrices({ models = [] }: ConfigurationDocument): readonly InputFault[] {
  return models.flatMap((model, index) =>
    PRICES.flatMap((name) => {
      const price = model[name];
      if (price === null || price <= HIGHEST_USUAL_PRICE) return [];
      const perMillion = EUROS.format(price * 1_000_000);
      const sentence = `is ${price} euros per token, which is € ${perMillion} per million tokens. Correct it: prices are euros per token. To apply it nevertheless, use --force`;
      return [{ path: ['models', index, name], sentence }];
    }),
  );
}
