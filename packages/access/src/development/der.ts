/** The few forms of DER (ITU-T X.690) that a certificate is made of. Each function returns one whole element. */
export type Element = Buffer;

export function element(tag: number, ...parts: readonly Buffer[]): Element {
  const content = Buffer.concat(parts);
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const length = Buffer.from(content.length.toString(16).padStart(content.length > 0xff ? 4 : 2, '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, content]);
}

export const sequence = (...parts: readonly Element[]): Element => element(0x30, ...parts);
export const set = (...parts: readonly Element[]): Element => element(0x31, ...parts);
export const boolean = (value: boolean): Element => element(0x01, Buffer.from([value ? 0xff : 0]));
export const octets = (content: Buffer): Element => element(0x04, content);
export const text = (value: string): Element => element(0x0c, Buffer.from(value));
/** Constructed, context-specific: `[n]` around whole elements. */
export const explicit = (n: number, ...parts: readonly Element[]): Element => element(0xa0 | n, ...parts);
/** Primitive, context-specific: `[n]` instead of the element's own tag. */
export const implicit = (n: number, content: Buffer): Element => element(0x80 | n, content);

/** @param content octets of a non-negative number, the highest first */
export function integer(content: Buffer): Element {
  return element(0x02, (content[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.from([0]), content]) : content);
}

/** @param unused bits at the end of the last octet */
export function bits(content: Buffer, unused = 0): Element {
  return element(0x03, Buffer.from([unused]), content);
}

export function identifier(dotted: string): Element {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return element(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(arc: number): number[] {
  const octets = [arc & 0x7f];
  for (let left = arc >>> 7; left > 0; left >>>= 7) octets.unshift((left & 0x7f) | 0x80);
  return octets;
}

/** UTCTime, whole seconds, as RFC 5280 requires until the year 2049. */
export function time(at: Date): Element {
  return element(
    0x17,
    Buffer.from(
      `${at
        .toISOString()
        .slice(2)
        .replace(/[-:T]|\.\d+Z/g, '')}Z`,
    ),
  );
}
