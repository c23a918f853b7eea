const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 6;

/** CRC-32 of what precedes, in base 62 and six digits, at the end of a token: GitHub's and npm's own check. */
export function crc32Base62(body: string): boolean {
  return body.length > LENGTH && body.endsWith(checksumOf(body.slice(0, -LENGTH)));
}

/** The six characters that end a token whose random part is `random`. */
export function checksumOf(random: string): string {
  // Loaded at the first token with a checksum: few texts contain one.
  let rest = process.getBuiltinModule('node:zlib').crc32(random);
  let digits = '';
  while (digits.length < LENGTH) {
    digits = (DIGITS[rest % 62] ?? '0') + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
