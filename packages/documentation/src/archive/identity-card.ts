/** An archive's description of itself in `archive.json` (documentation-5). */
export interface IdentityCard {
  /** Semantic version, for example `1.0.0`. */
  readonly version: string;
  /** Path under which the gateway serves the archive: always `/v/<version>`. */
  readonly path: string;
}

const SEMANTIC_VERSION =
  /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

/**
 * Reads an identity card.
 * @param text content of `archive.json`
 * @param file its path, named in the fault
 * @returns the card, or one sentence about its fault (refusals-26)
 */
export function parseIdentityCard(text: string, file: string): IdentityCard | { readonly fault: string } {
  let card: unknown;
  try {
    card = JSON.parse(text.replace(/^\ufeff/, '')); // the mark that some editors put before a text
  } catch {
    return { fault: `${file} is not JSON.` };
  }
  if (typeof card !== 'object' || card === null) return { fault: `${file} is not a JSON object.` };
  const { version, path } = card as Record<string, unknown>;
  if (typeof version !== 'string' || version === '') return { fault: `${file} declares no version.` };
  if (!SEMANTIC_VERSION.test(version)) {
    return { fault: `${file} declares the version ${JSON.stringify(version)}, which is not a semantic version.` };
  }
  if (typeof path !== 'string' || path === '') return { fault: `${file} declares no path.` };
  if (path !== `/v/${version}`) {
    return {
      fault: `${file} declares the path ${JSON.stringify(path)}, which is not served: version ${version} is served at /v/${version}.`,
    };
  }
  return { version, path };
}
