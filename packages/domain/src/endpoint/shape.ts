import { RESERVED_SEGMENTS } from '@gateway/contract';
import { line, name, slug } from '@gateway/contract/fields';
import * as z from 'zod';
import { endpointPathFault, MOST_PATHS } from './paths.ts';

const path = z.string('must be text').superRefine((text, context) => {
  const fault = endpointPathFault(text);
  if (fault !== null) context.addIssue(fault);
});

/** The members of an endpoint besides its model. */
export const endpointFields = {
  name: slug.refine(
    (text) => !(RESERVED_SEGMENTS as readonly string[]).includes(text),
    `must not be ${RESERVED_SEGMENTS.join(', ')}: the gateway keeps these`,
  ),
  active: z.boolean('must be true or false'),
  paths: z
    .array(path, 'must be a list of paths')
    .max(MOST_PATHS, `must contain at most ${MOST_PATHS} paths`)
    .refine((all) => new Set(all).size === all.length, 'must name each path once'),
};

/** The same of a new endpoint, and of one in a file: members with a default may be left out. */
export const newEndpointFields = {
  ...endpointFields,
  active: endpointFields.active.default(true),
  paths: endpointFields.paths.default([]),
};

/** The unit of every price of a model, where a number is stored, sent or written to a file. */
export const PRICE_UNIT = 'EUR per token';

/** Above this, a price is nearly always one for a million tokens that was given as one for a token. Euros per token. */
export const HIGHEST_USUAL_PRICE = 0.01;

/** Euros per token; may be 0 (console-22). */
const price = z
  .number('must be a number of euros per token, with a decimal point and without separators: 0.0000025')
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

/** The same of a new model, and of one in a file: members with a default may be left out. */
export const newModelFields = {
  ...modelFields,
  cachedInputPrice: modelFields.cachedInputPrice.default(null),
  cacheWritePrice: modelFields.cacheWritePrice.default(null),
};

/** The members that are prices. */
export const PRICES = ['inputPrice', 'outputPrice', 'cachedInputPrice', 'cacheWritePrice'] as const;
