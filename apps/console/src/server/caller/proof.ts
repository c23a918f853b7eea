import { isAccountKey } from '@gateway/contract';

/** The proof of identity that a request carries. */
export type Proof =
  | { readonly kind: 'pair'; readonly user: string; readonly password: string }
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'unusable' }
  | null;

function decodePair(text: string): Proof {
  const pair = Buffer.from(text, 'base64').toString('utf8');
  // A subject may contain colons. An account key contains none, and cannot be taken for a part of one.
  const last = pair.lastIndexOf(':');
  const colon = isAccountKey(pair.slice(last + 1)) ? last : pair.indexOf(':');
  if (colon < 0) return { kind: 'unusable' };
  return { kind: 'pair', user: pair.slice(0, colon), password: pair.slice(colon + 1) };
}

/**
 * Reads `Authorization` (Basic or Bearer), else `x-api-key`. An empty header counts as absent; where both carry something,
 * `Authorization` counts (relay-8).
 */
export function readProof(headers: Headers): Proof {
  const authorization = headers.get('authorization')?.trim() ?? '';
  const [, scheme = '', value = ''] = /^(\S+)\s*(.*)$/.exec(authorization) ?? [];
  if (/^bearer$/i.test(scheme) && value !== '') return { kind: 'key', key: value };
  if (/^basic$/i.test(scheme) && value !== '') return decodePair(value);
  const key = headers.get('x-api-key')?.trim() ?? '';
  if (key !== '') return { kind: 'key', key };
  return authorization === '' || /^(bearer|basic)$/i.test(authorization) ? null : { kind: 'unusable' };
}
