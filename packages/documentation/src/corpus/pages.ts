import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { envelopeOf, type Refusal, refusal, statusOf } from '@gateway/contract';
import { type Archive, type ArchiveFile, decodeUtf8 } from './archive.ts';

const UTF8 = '; charset=utf-8';

/** Types of the files that documentation generators write. */
const TYPES: Readonly<Record<string, string>> = {
  html: `text/html${UTF8}`,
  htm: `text/html${UTF8}`,
  xhtml: `application/xhtml+xml${UTF8}`,
  css: `text/css${UTF8}`,
  js: `text/javascript${UTF8}`,
  mjs: `text/javascript${UTF8}`,
  json: 'application/json',
  map: 'application/json',
  webmanifest: 'application/manifest+json',
  txt: `text/plain${UTF8}`,
  md: `text/markdown${UTF8}`,
  mdx: `text/markdown${UTF8}`,
  xml: `application/xml${UTF8}`,
  csv: `text/csv${UTF8}`,
  yaml: `application/yaml${UTF8}`,
  yml: `application/yaml${UTF8}`,
  svg: `image/svg+xml${UTF8}`,
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  ico: 'image/x-icon',
  woff: 'font/woff',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  otf: 'font/otf',
  wasm: 'application/wasm',
  pdf: 'application/pdf',
  mp4: 'video/mp4',
  webm: 'video/webm',
  zip: 'application/zip',
  gz: 'application/gzip',
};

/** Media type by the last extension of a name; `application/octet-stream` for an unknown one. */
export function mediaTypeOf(name: string): string {
  const extension = /\.([A-Za-z0-9]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(TYPES, extension) ? (TYPES[extension] ?? '') : 'application/octet-stream';
}

/** The same type for a text in another encoding than UTF-8. */
function withoutCharset(type: string): string {
  return type.replace(UTF8, '');
}

type Resolution = { readonly file: ArchiveFile } | { readonly location: string } | { readonly refusal: Refusal };

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

const SCRIPT = /<script\b([^>]*)>([\s\S]*?)<\/script\s*>/gi;
const STYLE = /<style\b[^>]*>([\s\S]*?)<\/style\s*>/gi;

/** What a browser may do with a drawing or an XML document of the archive that is opened by itself: show it. */
const PASSIVE = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'";

/**
 * Content-security-policy of a file by its type, or null where a browser runs nothing in it.
 *
 * A page runs only this gateway's scripts and styles. The generator's inline scripts are listed by their digests, so that later
 * insertions do not run. Style attributes are allowed because highlighted code consists of them; they can only load images of
 * this gateway.
 */
export function contentSecurityPolicyOf(mediaType: string, content: Buffer | null): string | null {
  if (/^(?:image\/svg\+xml|application\/xml|application\/xhtml\+xml)/.test(mediaType)) return PASSIVE;
  if (!mediaType.startsWith('text/html')) return null;
  const html = content === null ? '' : decodeUtf8(content);
  const scripts = [...html.matchAll(SCRIPT)].filter(([, attributes]) => !/(?:^|\s)src\s*=/i.test(attributes ?? ''));
  const styles = [...html.matchAll(STYLE)];
  return [
    "default-src 'none'",
    ["script-src 'self'", ...new Set(scripts.map(([, , text]) => digestOf(text ?? '')))].join(' '),
    ["style-src 'self'", ...new Set(styles.map(([, text]) => digestOf(text ?? '')))].join(' '),
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "media-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function digestOf(text: string): string {
  // A browser reads the text with its line ends normalised (HTML, preprocessing the input stream).
  return `'sha256-${createHash('sha256').update(text.replace(/\r\n?/g, '\n')).digest('base64')}'`;
}

/** Encodings in which an archive may contain a file besides the original, best first, with their extensions. */
const ENCODINGS = [
  { coding: 'br', extension: '.br' },
  { coding: 'gzip', extension: '.gz' },
] as const;

interface Representation {
  readonly file: ArchiveFile;
  readonly coding: 'br' | 'gzip' | null;
  /** Whether another `Accept-Encoding` could get another representation. */
  readonly varies: boolean;
}

/** Selects the smallest form of a file that the archive contains and the caller accepts (RFC 9110 §12.5.3). */
export function representationOf(
  archive: Archive,
  file: ArchiveFile,
  acceptEncoding: string | undefined,
): Representation {
  const held = ENCODINGS.flatMap(({ coding, extension }) => {
    const encoded = archive.files.get(file.name + extension);
    return encoded ? [{ coding, file: encoded }] : [];
  });
  const chosen = held.find(({ coding }) => accepts(acceptEncoding, coding));
  return { file: chosen?.file ?? file, coding: chosen?.coding ?? null, varies: held.length > 0 };
}

function accepts(header: string | undefined, coding: string): boolean {
  for (const part of header?.toLowerCase().split(',') ?? []) {
    const [name, ...parameters] = part.split(';').map((word) => word.trim());
    if (name !== coding) continue;
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    return quality === undefined || Number(quality.slice(2)) > 0;
  }
  return false;
}

/** Bytes of a file, both ends included. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** Whether the caller already has this content (RFC 9110 §13.1.2: weak comparison, `*` matches anything). */
export function isHeld(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return [...ifNoneMatch.matchAll(/"[^"]*"/g)].some(([tag]) => tag === etag);
}

/**
 * The one range asked for (RFC 9110 §14.2). Null means the whole file: no range, one that is malformed or of another
 * unit, or several at once, which a server may ignore.
 */
export function parseRange(range: string | undefined, size: number): Range | 'unsatisfiable' | null {
  const asked = /^bytes=(\d*)-(\d*)$/i.exec(range?.replaceAll(' ', '') ?? '');
  if (!asked || (asked[1] === '' && asked[2] === '')) return null;
  const [first, last] = [Number(asked[1]), Number(asked[2])];
  if (asked[1] === '') {
    return last === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - last), end: size - 1 };
  }
  if (asked[2] !== '' && last < first) return null;
  if (first >= size) return 'unsatisfiable';
  return { start: first, end: asked[2] === '' ? size - 1 : Math.min(last, size - 1) };
}

/** Whether a range may be answered: no `If-Range`, or one with the current strong tag (RFC 9110 §13.1.5). */
export function rangeStillHolds(ifRange: string | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange.trim() === etag;
}

/** The request headers that decide how a page is answered, lower-case names. */
export type PageHeaders = Readonly<
  Partial<Record<'accept-encoding' | 'if-none-match' | 'if-range' | 'range', string | undefined>>
>;

/**
 * Every answer about a file requires revalidation: an archive may be replaced at any time, and a cached page with the style sheet
 * of another version would be inconsistent. The strong tag makes that cheap.
 */
const CACHE_CONTROL = 'no-cache';

/** The headers that describe a file's content. */
interface Description {
  readonly type: string;
  readonly policy: string | null;
}

/** Descriptions already worked out: an installed file never changes. */
const descriptions = new WeakMap<ArchiveFile, Description>();

/** Answers GET or HEAD of an address under `/v` (documentation-1). */
export function answerPage(archive: Archive, address: Address, headers: PageHeaders): PageAnswer {
  const resolution = resolve(archive, address);
  if ('refusal' in resolution) return refuse(resolution.refusal);
  if ('location' in resolution) {
    return answer(302, { location: resolution.location, 'cache-control': 'no-cache' }, Buffer.alloc(0));
  }
  return answerFile(archive, resolution.file, headers);
}

/** Answers 405 to any other method. */
export function refuseMethod(): PageAnswer {
  return refuse(refusal('documentation-read-only', { headers: { allow: 'GET, HEAD' } }));
}

function answerFile(archive: Archive, asked: ArchiveFile, headers: PageHeaders): PageAnswer {
  const { file, coding, varies } = representationOf(archive, asked, headers['accept-encoding']);
  const { type, policy } = descriptionOf(asked);
  const common = {
    etag: file.etag,
    'cache-control': CACHE_CONTROL,
    ...(varies ? { vary: 'accept-encoding' } : {}),
    ...(policy === null ? {} : { 'content-security-policy': policy }),
  };
  if (isHeld(headers['if-none-match'], file.etag)) return answer(304, common, null);
  const described = {
    ...common,
    'content-type': type,
    'accept-ranges': 'bytes',
    ...(coding === null ? {} : { 'content-encoding': coding }),
  };
  const range = rangeStillHolds(headers['if-range'], file.etag) ? parseRange(headers.range, file.size) : null;
  if (range === 'unsatisfiable') {
    return answer(416, { ...common, 'content-range': `bytes */${file.size}` }, Buffer.alloc(0));
  }
  if (range === null) return answer(200, described, part(file, 0, file.size - 1));
  const { start, end } = range;
  return answer(206, { ...described, 'content-range': `bytes ${start}-${end}/${file.size}` }, part(file, start, end));
}

function part(file: ArchiveFile, start: number, end: number): PageAnswer['body'] {
  const { bytes, path, mark } = file;
  return bytes ? bytes.subarray(start, end + 1) : { path, mark, start, end };
}

function descriptionOf(file: ArchiveFile): Description {
  const known = descriptions.get(file);
  if (known !== undefined) return known;
  const named = mediaTypeOf(file.name);
  // A header would override the encoding that an older page declares.
  const type = file.bytes === null || isUtf8(file.bytes) ? named : withoutCharset(named);
  const description = { type, policy: contentSecurityPolicyOf(type, file.bytes) };
  descriptions.set(file, description);
  return description;
}

/** A part of a file on the disk, sent only while the file still has the mark it had when the archive was read. */
export interface FilePart {
  readonly path: string;
  readonly mark: string;
  /** First and last byte, both included. */
  readonly start: number;
  readonly end: number;
}

/** What the documentation answers to one request, before it becomes bytes on a socket. */
export interface PageAnswer {
  readonly status: number;
  /** Lower-case names. `content-length` is always there when `body` is not null. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null: no body is allowed. For HEAD the sender omits the body and keeps the headers. */
  readonly body: Buffer | FilePart | null;
}

/** Sent with every answer: no type sniffing, no framing, no referrer. */
const COMMON = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const;

export function answer(status: number, headers: Record<string, string>, body: Buffer | FilePart | null): PageAnswer {
  const length = body === null ? null : 'path' in body ? body.end - body.start + 1 : body.length;
  return {
    status,
    headers: { ...COMMON, ...headers, ...(length === null ? {} : { 'content-length': String(length) }) },
    body,
  };
}

export function jsonAnswer(status: number, value: unknown, headers: Record<string, string> = {}): PageAnswer {
  const body = Buffer.from(JSON.stringify(value), 'utf8');
  return answer(status, { 'content-type': 'application/json', 'cache-control': 'no-cache', ...headers }, body);
}

/** A refusal in the service's envelope (refusals-1). */
export function refuse(refusal: Refusal): PageAnswer {
  return jsonAnswer(statusOf(refusal), envelopeOf(refusal), refusal.headers);
}

/** A documentation address, cut out of the raw request target. */
export interface Address {
  /** Decoded path segments after `/v/`; the last one is empty for an address that ends in a slash. */
  readonly segments: readonly string[];
  /** From `?` on, as written; empty without one. */
  readonly query: string;
}

/** Whether a raw request target belongs to the documentation: the segment `v`, byte for byte. */
export function isDocumentationTarget(target: string): boolean {
  return /^\/v(?:[/?#]|$)/.test(target);
}

/**
 * Reads a raw request target. No URL parser may read the target first: those silently resolve climbing segments, so they could
 * not be refused (documentation-4).
 * @param target from the request line, in origin form, beginning with `/v`
 * @returns null for a target that is malformed or climbs
 */
export function parseTarget(target: string): Address | null {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? '' : target.slice(mark);
  // Browsers do not escape a backslash in a query; in a path, some servers would read it as a slash.
  if (target.includes('#') || path.includes('\\')) return null;
  const segments: string[] = [];
  for (const written of path.slice('/v/'.length).split('/')) {
    const segment = decode(written);
    if (segment === null || !isPlain(segment)) return null;
    segments.push(segment);
  }
  return { segments, query };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Resolves the percent escapes of one segment, once; null when an escape or the UTF-8 under it is invalid. */
function decode(segment: string): string | null {
  if (/%(?![0-9A-Fa-f]{2})/.test(segment)) return null;
  const bytes = Buffer.from(
    segment.replace(/%([0-9A-Fa-f]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
    'latin1',
  );
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

/**
 * Whether a decoded segment names something in a folder and nothing else. Refused are separators that were escaped,
 * control characters, climbing segments (with path parameters too: `..;`), and what would climb if decoded again.
 */
function isPlain(segment: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return !/[/\\\u0000-\u001f\u007f]|^\.{1,2}(?:;|$)|%(?:2e|2f|5c|25|00)/i.test(segment);
}
