import type { Archive } from '../archive/load.ts';
import { textOf } from '../archive/text.ts';

/** Finds where this gateway serves the pages of a corpus. */
export interface Addresses {
  /**
   * Path on this gateway.
   * @param url address from the corpus; null gives the corpus file, which contains the passage
   * @param section heading whose anchor is added, where the page has one
   */
  readonly of: (url: string | null, section: string | null) => string;
}

/** Segments before a page's path that a corpus may have and an archive not: the path prefix of another site. */
const MOST_FOREIGN_SEGMENTS = 4;

/** @param urls addresses of all pages; together they show which first segments the archive omits */
export function addressesIn(archive: Archive, urls: readonly (string | null)[]): Addresses {
  const base = archive.card.path;
  const paths = urls.flatMap((url) => (url === null ? [] : [segmentsOf(url)]));
  const foreign = foreignSegments(archive, paths);
  const anchors = new Map<string, ReadonlyMap<string, string>>();
  const anchorsOf = (name: string): ReadonlyMap<string, string> => {
    const bytes = archive.files.get(name)?.bytes;
    const known = anchors.get(name) ?? anchorsIn(bytes ? textOf(bytes) : '');
    anchors.set(name, known);
    return known;
  };
  return {
    of: (url, section) => {
      if (url === null) return `${base}/llms-full.txt`;
      const segments = segmentsOf(url).slice(foreign);
      const name = fileOf(archive, segments);
      if (name === null) return pathOf(base, segments);
      const address = pathOf(base, name.replace(/(^|\/)index\.html$/, '$1').split('/'));
      const anchor = section === null ? undefined : anchorsOf(name).get(comparable(section));
      return anchor === undefined ? address : `${address}#${encodeURIComponent(anchor)}`;
    },
  };
}

/** Number of first segments to omit so that most pages are found; none when that does not help. */
function foreignSegments(archive: Archive, paths: readonly (readonly string[])[]): number {
  let best = { foreign: 0, found: 0 };
  for (let foreign = 0; foreign <= MOST_FOREIGN_SEGMENTS; foreign += 1) {
    const found = paths.filter((path) => path.length > foreign && fileOf(archive, path.slice(foreign)) !== null).length;
    if (found > best.found) best = { foreign, found };
  }
  return best.foreign;
}

/** Name of the file that shows a page: its HTML where there is one, else its Markdown; null when it is not installed. */
function fileOf({ files }: Archive, segments: readonly string[]): string | null {
  const name = segments.join('/').replace(/\/$/, '');
  const stem = name.replace(/\.(?:md|mdx|html)$/, '').replace(/(^|\/)index$/, '');
  const folder = stem === '' || stem.endsWith('/') ? stem : `${stem}/`;
  return [`${stem}.html`, `${folder}index.html`, name, `${stem}.md`].find((candidate) => files.has(candidate)) ?? null;
}

/** Decoded path segments of an absolute or relative address; query and fragment do not distinguish pages. */
function segmentsOf(url: string): string[] {
  const parsed = URL.parse(url, 'http://corpus.invalid/');
  return (parsed?.pathname ?? '')
    .slice(1)
    .split('/')
    .map((segment) => {
      try {
        return decodeURIComponent(segment);
      } catch {
        return segment;
      }
    });
}

function pathOf(base: string, segments: readonly string[]): string {
  return [base, ...segments.map(encodeURIComponent)].join('/');
}

/** A heading with its anchor: minifiers use the quotes that they need, or none. */
const HEADING = /<h([1-6])\b[^>]*?\sid\s*=\s*(?:"([^"]+)"|'([^']+)'|([^\s"'=<>`]+))[^>]*>([\s\S]*?)<\/h\1>/gi;

/** Anchors of a page by what can be compared of their headings; of equal headings the first. */
function anchorsIn(html: string): ReadonlyMap<string, string> {
  const anchors = new Map<string, string>();
  for (const [, , double, single, bare, content = ''] of html.matchAll(HEADING)) {
    const id = double ?? single ?? bare ?? '';
    const text = comparable(content.replace(/<[^>]*>/g, ' ').replace(/&[a-z#0-9]+;/gi, ' '));
    if (!anchors.has(text)) anchors.set(text, id);
  }
  return anchors;
}

function comparable(heading: string): string {
  return (
    heading
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(' ') ?? ''
  );
}
