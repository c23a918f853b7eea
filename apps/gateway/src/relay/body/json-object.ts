/** What the corridor needs to know of a body that is one JSON object; offsets are bytes of that body. */
export interface JsonObject {
  /** Start and end of the value of every top-level `model` member, in order: [start, end, start, end, …]. */
  readonly models: readonly number[];
  /** Whether the last top-level `stream` member is `true` (duplicates: the last one counts, as for JSON.parse). */
  readonly stream: boolean;
  /** Offset of the closing brace. */
  readonly close: number;
  /** Whether the object has no member at all. */
  readonly empty: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

/** Byte classes: bit 0 whitespace, bit 1 digit, bit 2 ends the quick run inside a string. */
const CLASS = new Uint8Array(256);
for (const byte of [0x20, 0x09, 0x0a, 0x0d]) CLASS[byte] = 1;
for (let byte = 0x30; byte <= 0x39; byte += 1) CLASS[byte] = 2;
for (let byte = 0; byte < 0x20; byte += 1) CLASS[byte] = (CLASS[byte] ?? 0) | 4;
CLASS[QUOTE] = 4;
CLASS[BACKSLASH] = 4;

const isWhite = (byte: number | undefined): boolean => byte !== undefined && (CLASS[byte]! & 1) === 1;
const isDigit = (byte: number | undefined): boolean => byte !== undefined && (CLASS[byte]! & 2) === 2;

/** Whether none of four bytes ends the quick run inside a string. */
const isPlain = (body: Buffer, at: number): boolean =>
  (CLASS[body[at]!]! | CLASS[body[at + 1]!]! | CLASS[body[at + 2]!]! | CLASS[body[at + 3]!]!) < 4;

/** Which containers are open: 1 an object, 0 an array. Shared, for a scan never yields; it grows with the deepest body seen. */
let open = new Uint8Array(256);

/**
 * Reads a body once, in linear time and without recursion, and says whether it is exactly one JSON object (RFC 8259), as
 * JSON.parse would accept it behind a byte order mark. Nothing is decoded, so that numbers, spacing and key order can stay byte for byte
 * (decisions §9).
 * @returns null where the body is anything else.
 */
export function scanJsonObject(body: Buffer): JsonObject | null {
  let at = skipWhite(body, afterMark(body));
  if (body[at] !== OPEN_OBJECT) return null;
  const models: number[] = [];
  let stream = false;
  let members = 0;
  let depth = 1;
  open[0] = 1;
  at = skipWhite(body, at + 1);
  let mayClose = true; // directly after an opening bracket a closing one may follow, after a comma not
  for (;;) {
    // Here a member, an element or (where `mayClose`) the end of the innermost container begins.
    const inObject = open[depth - 1] === 1;
    if (mayClose && body[at] === (inObject ? CLOSE_OBJECT : CLOSE_ARRAY)) {
      depth -= 1;
      at += 1;
    } else {
      let keyStart = 0;
      let keyEnd = 0;
      if (inObject) {
        keyStart = at;
        keyEnd = endOfString(body, at);
        if (keyEnd < 0) return null;
        at = skipWhite(body, keyEnd);
        if (body[at] !== COLON) return null;
        at = skipWhite(body, at + 1);
      }
      const valueStart = at;
      const first = body[at];
      if (first === OPEN_OBJECT || first === OPEN_ARRAY) {
        if (depth === 1) {
          members += 1;
          const kind = kindOfKey(body, keyStart, keyEnd);
          if (kind === 'model')
            models.push(valueStart, -1); // its end is known when it closes
          else if (kind === 'stream') stream = false;
        }
        if (depth === open.length) open = grown(open);
        open[depth] = first === OPEN_OBJECT ? 1 : 0;
        depth += 1;
        at = skipWhite(body, at + 1);
        mayClose = true;
        continue;
      }
      at = endOfScalar(body, at);
      if (at < 0) return null;
      if (depth === 1) {
        members += 1;
        const kind = kindOfKey(body, keyStart, keyEnd);
        if (kind === 'model') models.push(valueStart, at);
        else if (kind === 'stream') stream = first === 0x74;
      }
    }
    // A value has ended: close what closes, then a comma or the end.
    for (;;) {
      if (depth === 1 && models.at(-1) === -1) models[models.length - 1] = at;
      if (depth === 0)
        return skipWhite(body, at) === body.length ? { models, stream, close: at - 1, empty: members === 0 } : null;
      at = skipWhite(body, at);
      const byte = body[at];
      if (byte === COMMA) {
        at = skipWhite(body, at + 1);
        mayClose = false;
        break;
      }
      if (byte !== (open[depth - 1] === 1 ? CLOSE_OBJECT : CLOSE_ARRAY)) return null;
      depth -= 1;
      at += 1;
    }
  }
}

function grown(stack: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(stack.length * 2);
  larger.set(stack);
  return larger;
}

/**
 * Offset after a byte order mark. RFC 8259 (section 8.1) lets a parser ignore one, and parsers of bytes do: without this,
 * an engine would read a `model` that was not replaced.
 */
function afterMark(body: Buffer): number {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0;
}

function skipWhite(body: Buffer, from: number): number {
  let at = from;
  while (isWhite(body[at])) at += 1;
  return at;
}

/** Offset after the closing quote of the string that begins at `from`, or -1. Bytes above 0x7f pass, as the decoder replaces them. */
function endOfString(body: Buffer, from: number): number {
  if (body[from] !== QUOTE) return -1;
  let at = from + 1;
  for (;;) {
    // Four at a time: two fifths less time for ordinary text, which a body mostly is.
    while (at + 4 <= body.length && isPlain(body, at)) at += 4;
    while (at < body.length && CLASS[body[at]!]! < 4) at += 1;
    const byte = body[at];
    if (byte === QUOTE) return at + 1;
    if (byte !== BACKSLASH) return -1; // a control character, or the end of the body
    at = endOfEscape(body, at + 1);
    if (at < 0) return -1;
  }
}

const ESCAPED = new Set(Buffer.from('"\\/bfnrt'));

function endOfEscape(body: Buffer, at: number): number {
  const byte = body[at];
  if (byte === undefined) return -1;
  if (ESCAPED.has(byte)) return at + 1;
  if (byte !== 0x75 || at + 4 >= body.length) return -1;
  for (let digit = at + 1; digit <= at + 4; digit += 1) if (!isHexDigit(body[digit]!)) return -1;
  return at + 5;
}

function isHexDigit(byte: number): boolean {
  return isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}

function endOfScalar(body: Buffer, at: number): number {
  switch (body[at]) {
    case QUOTE:
      return endOfString(body, at);
    case 0x74:
      return endOfWord(body, at, 'true');
    case 0x66:
      return endOfWord(body, at, 'false');
    case 0x6e:
      return endOfWord(body, at, 'null');
    default:
      return endOfNumber(body, at);
  }
}

function endOfWord(body: Buffer, at: number, word: string): number {
  const end = at + word.length;
  return end <= body.length && body.toString('latin1', at, end) === word ? end : -1;
}

function endOfNumber(body: Buffer, from: number): number {
  let at = body[from] === 0x2d ? from + 1 : from;
  if (body[at] === 0x30) at += 1;
  else {
    const digits = at;
    while (isDigit(body[at])) at += 1;
    if (at === digits) return -1;
  }
  if (body[at] === 0x2e) {
    const digits = at + 1;
    at = digits;
    while (isDigit(body[at])) at += 1;
    if (at === digits) return -1;
  }
  if (body[at] === 0x65 || body[at] === 0x45) {
    at += 1;
    if (body[at] === 0x2b || body[at] === 0x2d) at += 1;
    const digits = at;
    while (isDigit(body[at])) at += 1;
    if (at === digits) return -1;
  }
  return at;
}

/** Which of the two members of interest a key names, escaped spellings (`"mod\u0065l"`) included. */
function kindOfKey(body: Buffer, start: number, end: number): 'model' | 'stream' | null {
  const length = end - start;
  if (length === 7) return body.toString('latin1', start, end) === '"model"' ? 'model' : null;
  if (length === 8 && body.toString('latin1', start, end) === '"stream"') return 'stream';
  // The longest spelling escapes every character: six bytes each.
  if (length > 2 + 6 * 6 || !body.subarray(start, end).includes(BACKSLASH)) return null;
  const key: unknown = JSON.parse(body.toString('utf8', start, end));
  return key === 'model' || key === 'stream' ? key : null;
}
