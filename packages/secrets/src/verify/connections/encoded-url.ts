import { beginsApart } from '../boundary.ts';
import { checkEncoded } from '../encoded.ts';
import { NO, type Verdict, type View } from '../view.ts';
import { checkUrl } from './url.ts';

/** Schemes of addresses that usually contain a password; cluster manifests contain them in base64. */
const SCHEMES = [
  'postgres',
  'postgresql',
  'mysql',
  'mongodb',
  'mongodb+srv',
  'redis',
  'rediss',
  'amqp',
  'amqps',
] as const;
/** The letters of each with its sign, without the last, which depends on the next byte. */
const ENCODED = SCHEMES.map((scheme) => {
  const sign = Buffer.from(`${scheme}://`);
  return { scheme, letters: sign.toString('base64').slice(0, Math.floor((sign.length * 8) / 6)) };
});

export const ENCODED_SCHEMES: readonly string[] = ENCODED.map(({ letters }) => letters.toLowerCase());

/** An address in base64 with a password. The scheme is kept, to show what was there. */
export function checkEncodedUrl(view: View, from: number): Verdict {
  if (!beginsApart(view, from)) return NO;
  const known = ENCODED.find(({ letters }) => view.spells(letters, from));
  if (known === undefined) return NO;
  const { scheme, letters } = known;
  return checkEncoded(view, from, from + letters.length, (inner) => checkUrl(inner, scheme.length, scheme.length + 3));
}
