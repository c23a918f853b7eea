/** A target that every server reads unchanged: no percent codes, no empty or dot segments, no backslashes, no parameters. */
const PLAIN = /^(?!.*(?:%|\/\/|\/\.|\\|;))/s;

/** Times that servers behind each other may decode a path. */
const MOST_DECODINGS = 3;
const PERCENT_CODES = /(?:%[0-9A-Fa-f]{2})+/g;
/** The parameters of a segment (RFC 3986 section 3.3), which Java's servers remove. */
const PARAMETERS = /;[^/\\]*/g;

/**
 * The possible readings of a request's target: as written; decoded, once or several times; without parameters; ended by a zero
 * byte, or without it; and with its dot segments resolved and its empty segments dropped, in either order. The gateway relays the
 * target byte for byte, and the engine's reading is unknown: a policy that forbids any of them forbids the call.
 * @param target path and query, as written
 */
export function readingsOf(target: string): readonly string[] {
  if (PLAIN.test(target)) return [target];
  const end = target.indexOf('?');
  const path = end === -1 ? target : target.slice(0, end);
  const query = end === -1 ? '' : decode(target.slice(end));
  const readings = new Set([target]);
  for (const decoded of decodingsOf(path)) {
    for (const text of spellingsOf(decoded)) {
      const slashed = text.replaceAll('\\', '/');
      for (const one of [text, resolveDots(slashed), merged(resolveDots(slashed)), resolveDots(merged(slashed))])
        readings.add(one + query);
    }
  }
  return [...readings];
}

/** Decoded, until nothing is left to decode; also where parameters were removed before. */
function decodingsOf(path: string): ReadonlySet<string> {
  const decodings = new Set<string>();
  for (const begun of [path, path.replace(PARAMETERS, '')]) {
    let text = begun;
    for (let times = 0; times < MOST_DECODINGS; times += 1) {
      text = decode(text);
      decodings.add(text);
    }
  }
  return decodings;
}

/** With and without parameters and zero bytes. */
function spellingsOf(text: string): ReadonlySet<string> {
  const bare = text.replace(PARAMETERS, '');
  return new Set([text, bare].flatMap((one) => [one, one.replace(/\0.*$/s, ''), one.replaceAll('\0', '')]));
}

/** Bytes that are no UTF-8 stay percent codes. Overlong forms are read, as lenient decoders do. */
function decode(text: string): string {
  return text.replace(PERCENT_CODES, (codes) => {
    const bytes = Buffer.from(codes.replaceAll('%', ''), 'hex');
    let read = '';
    for (let at = 0; at < bytes.length; ) {
      const [character, length] = characterAt(bytes, at);
      read += character ?? codes.slice(3 * at, 3 * (at + length));
      at += length;
    }
    return read;
  });
}

/** The character at an offset, and its bytes; null for none. */
function characterAt(bytes: Buffer, at: number): readonly [character: string | null, length: number] {
  const first = bytes[at] as number;
  if (first < 0x80) return [String.fromCharCode(first), 1];
  const more = first >= 0xf8 || first < 0xc0 ? 0 : first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
  let code = first & (0x3f >> more);
  for (let next = at + 1; next <= at + more; next += 1) {
    const byte = bytes[next] ?? 0;
    if (byte >> 6 !== 2) return [null, 1];
    code = (code << 6) | (byte & 0x3f);
  }
  const isCharacter = more > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? [String.fromCodePoint(code), more + 1] : [null, 1];
}

const merged = (path: string): string => path.replace(/\/{2,}/g, '/');

/** Without dot segments (RFC 3986 section 5.2.4). */
function resolveDots(path: string): string {
  const segments: string[] = [];
  const written = path.split('/').slice(1);
  for (const [at, segment] of written.entries()) {
    const isDots = segment === '.' || segment === '..';
    if (segment === '..') segments.pop();
    if (!isDots) segments.push(segment);
    else if (at === written.length - 1) segments.push('');
  }
  return `/${segments.join('/')}`;
}
