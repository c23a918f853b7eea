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
