const MASK = /\[secret:[\w.-]+\]/g;

/** The first mask of a secret in `written` that the file does not contain itself: writing it would lose the secret. */
export function foreignMask(written: string, file: string): string | null {
  return written.match(MASK)?.find((mask) => !file.includes(mask)) ?? null;
}
