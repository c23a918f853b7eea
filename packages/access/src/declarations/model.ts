import * as z from 'zod';
import { line, name } from './text.ts';

/** Euros per token; may be 0 (console-22). */
const price = z
  .number('must be a number of euros per token')
  .min(0, 'must not be below 0')
  .max(1_000_000, 'must not be above 1000000');

/** The members of a model besides its provider. The prices of a cache are null where the input price applies. */
export const modelFields = {
  slug: line(200),
  name,
  inputPrice: price,
  outputPrice: price,
  cachedInputPrice: price.nullable(),
  cacheWritePrice: price.nullable(),
};
