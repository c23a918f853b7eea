import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { refuseRequest } from './answers.ts';

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

interface Asset {
  readonly type: string;
  readonly etag: string;
  /** The bytes by content encoding; `''` is the unencoded file. */
  readonly forms: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
}

/** The built pages, read once: they belong to the artifact and do not change while it runs. */
export interface Assets {
  /** The page of the instance, audit and project surfaces. */
  page(request: Request): Response;
  /** The files served without any right (console-2); undefined for every other address. */
  open(request: Request): Response | undefined;
  /** A part of the pages' script that is loaded where it is needed, by its file name. */
  script(request: Request, name: string): Response;
}

function readAsset(folder: string, name: string): [string, Asset] {
  const plain = new Uint8Array(readFileSync(join(folder, name)));
  const forms = new Map([['', plain]]);
  for (const [encoding, ending] of ENCODINGS) {
    try {
      forms.set(encoding, new Uint8Array(readFileSync(join(folder, name + ending))));
    } catch {
      // Not precompressed: the plain form is served.
    }
  }
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return [`/${name}`, { type: TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream', etag, forms }];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /\.(html|css|js|svg|woff2)$/.test(name));
  } catch {
    return [];
  }
}

function answer({ type, etag, forms }: Asset, request: Request): Response {
  const accepted = (request.headers.get('accept-encoding') ?? '').split(',').map((part) => part.split(';')[0]?.trim());
  const encoding = ENCODINGS.map(([name]) => name).find((name) => forms.has(name) && accepted.includes(name)) ?? '';
  const headers = new Headers({ 'content-type': type, etag, 'cache-control': 'no-cache', vary: 'accept-encoding' });
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers });
  if (encoding !== '') headers.set('content-encoding', encoding);
  const bytes = forms.get(encoding) ?? new Uint8Array();
  headers.set('content-length', String(bytes.byteLength));
  return new Response(bytes, { headers });
}

/** Serves exactly `index.html`, `client.css`, `client.js`, `favicon.svg`, `fonts/*` and `scripts/*` of a folder. */
export function readAssets(folder: string): Assets {
  const files = new Map([
    ...namesIn(folder).map((name) => readAsset(folder, name)),
    ...['fonts', 'scripts'].flatMap((part) =>
      namesIn(join(folder, part)).map((name) => readAsset(folder, `${part}/${name}`)),
    ),
  ]);
  const OPEN = /^\/(favicon\.svg|client\.css|client\.js|fonts\/[^/]+)$/;
  return {
    page(request) {
      const page = files.get('/index.html');
      return page === undefined ? refuseRequest('pages-absent') : answer(page, request);
    },
    open(request) {
      const { pathname } = new URL(request.url);
      if (!OPEN.test(pathname) || !['GET', 'HEAD'].includes(request.method)) return undefined;
      const file = files.get(pathname);
      return file === undefined ? refuseRequest('address-unknown') : answer(file, request);
    },
    script(request, name) {
      const file = files.get(`/scripts/${name}`);
      return file === undefined ? refuseRequest('address-unknown') : answer(file, request);
    },
  };
}
