import { isOwnVariable } from '@gateway/contract';
import { name, slug } from '@gateway/contract/fields';
import * as z from 'zod';

/**
 * Why a provider's Base URL is refused, or null. `http` or `https`, an authority and a path, nothing else (console-11):
 * the relay appends the caller's path to it byte for byte, so user info, a query or a fragment would end up inside the target.
 */
export function faultOfBaseUrl(text: string): string | null {
  // The URL parser drops spaces, tabs and line breaks in silence; what is stored must be what was checked.
  if (!/^[\x21-\x7e]+$/.test(text)) return 'must contain visible ASCII characters only';
  if (text.length > 2000) return 'must have at most 2000 characters';
  if (!/^https?:\/\/[^/\\?#]/.test(text)) return 'must begin with https:// or http:// and a host';
  if (text.includes('\\')) return 'must contain no backslash';
  if (text.includes('?')) return 'must contain no query';
  if (text.includes('#')) return 'must contain no fragment';
  if (!URL.canParse(text)) return 'is not a URL';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || text.split('/')[2]?.includes('@'))
    return 'must contain no user info';
  return null;
}

/** Whether traffic to this address travels in the clear, which an operator has to acknowledge (console-11). */
export function isClearText(baseUrl: string): boolean {
  return baseUrl.startsWith('http://');
}

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
