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
export function withoutCharset(type: string): string {
  return type.replace(UTF8, '');
}
