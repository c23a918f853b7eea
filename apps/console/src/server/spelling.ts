/** As `encodeURIComponent`, but for these characters, which may stand as they are. */
function encoded(text: string, plain: RegExp): string {
  return encodeURIComponent(text).replace(plain, (code) => decodeURIComponent(code));
}

/** What a segment says, as the route table reads it: what is no UTF-8 says what it is written as. */
function decoded(segment: string): string {
  return segment.replace(/(?:%[0-9A-Fa-f]{2})+/g, (codes) => {
    try {
      return decodeURIComponent(codes);
    } catch {
      return codes;
    }
  });
}

/**
 * The one spelling of an address, path and query, in which no character is percent-encoded that need not be. The route table opens
 * `/api/%70roviders` as `/api/providers`: a policy that looks at the path must not be told two addresses.
 */
export function spelled({ pathname, searchParams }: URL): string {
  const path = pathname
    .split('/')
    .map((segment) => encoded(decoded(segment), /%(?:24|26|2B|2C|3A|3B|3D|40)/g))
    .join('/');
  const query = [...searchParams].map((pair) => pair.map((text) => encoded(text, /%(?:2C|2F|3A|3B|3F|40)/g)).join('='));
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}
