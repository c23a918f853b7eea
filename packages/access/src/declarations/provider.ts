import { isOwnVariable, isReservedName, RESERVED_SEGMENTS } from '@gateway/contract';
import { hasVisibleEnds } from '@gateway/contract/legible';
import * as z from 'zod';
import { faultOfBaseUrl, isClearText } from './base-url.ts';
import { endpointPathFault, MOST_PATHS } from './endpoint-paths.ts';
import { line, name, slug, subject } from './text.ts';

/** Headers that frame the message or route it; a key in one of them would break the relayed request. */
const FRAMING = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const apiKeyEnv = z
  .string('must be the name of a variable')
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'must be the name of an environment variable, never the key itself')
  .refine(
    (variable) => !isOwnVariable(variable),
    'must not name a variable that the programs or proxies use themselves, or one with credentials of a cloud',
  );

const apiKeyHeader = z
  .string('must be the name of a header')
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/, 'must be the name of an HTTP header')
  .refine((header) => !FRAMING.has(header.toLowerCase()), 'must not be a header that frames the message');

/** A name that may be left empty: the variable's is empty when the engine requires no key (console-11). */
function orNone<Name extends z.ZodType<string>>(name: Name) {
  return z.preprocess((given) => (given === '' ? null : given), name.nullable());
}

const fields = {
  slug,
  name,
  baseUrl: z.string('must be text').superRefine((text, context) => {
    const fault = faultOfBaseUrl(text);
    if (fault !== null) context.addIssue({ code: 'custom', message: fault });
  }),
  apiKeyEnv: orNone(apiKeyEnv),
  apiKeyHeader: orNone(apiKeyHeader),
  clearTextAcknowledged: z.boolean('must be true or false'),
};

/** Body of `POST /api/providers` (console-12). */
export const newProvider = z.strictObject({
  ...fields,
  apiKeyEnv: fields.apiKeyEnv.default(null),
  apiKeyHeader: fields.apiKeyHeader.default(null),
  clearTextAcknowledged: fields.clearTextAcknowledged.default(false),
});

/** The address and the key of a provider: enough for a test of its connection. */
export const testedProvider = newProvider.omit({ slug: true, name: true });

/** Body of `PATCH /api/providers/:id`: absent members stay unchanged. */
export const changedProvider = z.strictObject(fields).partial();

/** What is wrong with a provider as a whole: plain `http` needs the acknowledgement (console-11). */
export function faultsOfProvider(provider: {
  readonly baseUrl: string;
  readonly clearTextAcknowledged: boolean;
}): Readonly<Record<string, string>> | null {
  if (!isClearText(provider.baseUrl) || provider.clearTextAcknowledged) return null;
  return {
    baseUrl: 'is an http:// address: acknowledge that traffic to it travels in the clear (clearTextAcknowledged)',
  };
}

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

/** The members of a local account besides its plan. */
export const accountFields = {
  username: subject
    .refine(hasVisibleEnds, 'must begin and end with a visible character')
    .refine(
      (text) => !isReservedName(text),
      'must not be a reserved name: shared-pair, scim, or one that begins with workload:',
    ),
  enabled: z.boolean('must be true or false'),
  displayName: line(200).nullable(),
  email: z.email('must be an e-mail address').max(320).nullable(),
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

/** The members that are prices. */
export const PRICES = ['inputPrice', 'outputPrice', 'cachedInputPrice', 'cacheWritePrice'] as const;
