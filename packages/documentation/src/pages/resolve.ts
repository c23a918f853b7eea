import { type Refusal, refusal } from '@gateway/contract';
import type { Archive, ArchiveFile } from '../archive/load.ts';
import type { Address } from './target.ts';

export type Resolution = { readonly file: ArchiveFile } | { readonly location: string } | { readonly refusal: Refusal };

/** The corpus files for agents, read without a version number (documentation-7). */
const UNVERSIONED = ['llms.txt', 'llms-full.txt'];

/** A version number in an address: two or three numbers, with an optional pre-release or build part. */
const VERSION_NUMBER = /^\d+(?:\.\d+){1,2}(?:[-+][0-9A-Za-z.+-]+)?$/;

/**
 * Finds what an address means in an archive. The caller's path is never handed to the file system: it is looked up
 * among the names that were read when the archive was installed.
 */
export function resolve(archive: Archive, { segments, query }: Address): Resolution {
  const { version, path: base } = archive.card;
  const [first = '', ...rest] = segments;
  if (first === version) {
    return rest.length === 0 ? { location: `${base}/${query}` } : resolveName(archive, rest, query);
  }
  if (VERSION_NUMBER.test(first)) {
    return {
      refusal: refusal('documentation-version', { details: { installed: version, base, requested: first } }),
    };
  }
  if (segments.length === 1 && UNVERSIONED.includes(first)) return resolveName(archive, segments, query);
  return { location: addressOf(base, segments) + query };
}

/** A file by its own name, as a page whose address leaves `.html` out, or as a folder with an index page. */
function resolveName({ card, files }: Archive, segments: readonly string[], query: string): Resolution {
  const name = segments.join('/');
  const file = name === '' || name.endsWith('/') ? files.get(`${name}index.html`) : files.get(name);
  if (file) return { file };
  if (!name.endsWith('/')) {
    const page = files.get(`${name}.html`);
    if (page) return { file: page };
    // Relative links of an index page only work from an address that ends in a slash.
    if (files.has(`${name}/index.html`)) return { location: `${addressOf(card.path, segments)}/${query}` };
  }
  return { refusal: refusal('documentation-page') };
}

function addressOf(base: string, segments: readonly string[]): string {
  return [base, ...segments.map(encodeURIComponent)].join('/');
}
