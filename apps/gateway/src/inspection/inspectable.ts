/** Bytes scanned in one run. Longer bodies are scanned in parts, so that no scan delays other calls. */
export const MAX_SYNC_SCAN_BYTES = 256 * 1024;

const OPAQUE = /^\s*(?:image|audio|video|font)\//i;

/** Whether a body of this content type is text that can be looked into; one that names no type may be. */
export function isInspectable(contentType: string | undefined): boolean {
  return contentType === undefined || !OPAQUE.test(contentType);
}
