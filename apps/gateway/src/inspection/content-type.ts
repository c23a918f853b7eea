const PARAMETER = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;]*))/i;
const TEXT =
  /^\s*(?:text\/|multipart\/|application\/(?:[\w.+-]+\+)?(?:json|xml|yaml|x-yaml|ndjson|x-ndjson|jsonl|json-seq|toml|sql|graphql|javascript|x-www-form-urlencoded)\b)/i;

/** Whether bodies of this content type are text, at least in part; one that names no type may be. */
export function isTextType(contentType: string | undefined): boolean {
  return contentType === undefined || contentType.trim() === '' || TEXT.test(contentType);
}

/** The charset in a content type; null without one. */
export function charsetOf(contentType: string | undefined): string | null {
  const named = contentType === undefined ? null : PARAMETER.exec(contentType);
  return named?.[1] ?? named?.[2] ?? null;
}

/** Charsets in which ASCII is ASCII, or that are looked into in their own encoding. */
const READ =
  /^(?:utf-?(?:8|16|32)(?:-?[bl]e)?|us-ascii|ascii|latin-?1|iso-?8859-?\d+|windows-?125\d|cp125\d|koi8-?[ru]|)$/i;

/** Whether a body in this charset can be read without knowing more of it than its bytes. */
export function isReadCharset(charset: string | null): boolean {
  return charset === null || READ.test(charset.trim());
}

/** Bytes scanned in one run. Longer bodies are scanned in parts, so that no scan delays other calls. */
export const MAX_SYNC_SCAN_BYTES = 256 * 1024;

const OPAQUE = /^\s*(?:image|audio|video|font)\//i;

/** Whether a body of this content type is text that can be looked into; one that names no type may be. */
export function isInspectable(contentType: string | undefined): boolean {
  return contentType === undefined || !OPAQUE.test(contentType);
}
