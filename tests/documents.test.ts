import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { PRESETS } from '../apps/console/src/web/pages/endpoints/presets.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDERS = '{apps,bench,docs,packages,site,tests,toolchain}';
const SOURCES = globSync(`${FOLDERS}/**/*.{ts,mjs,sh,sql,cedarschema}`, {
  cwd: ROOT,
  exclude: (path) => path.endsWith('node_modules'),
});

/** Documents for developers of the gateway. site/build/manual.test.ts checks the pages of the manual. */
const DOCUMENTS = globSync(['*.md', 'docs/*.md', 'docs/{contract,decisions}/*.md', 'bench/*.md'], { cwd: ROOT }).sort();

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '');

/** The anchors of a page, as the hosts of repositories make them of its headings. */
function anchorsOf(file: string): readonly string[] {
  return [...textOf(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}

/** What documents may name: the programs, scripts, deployment files and settings, without their tests. */
const CODE = globSync(
  '{apps,bench,deploy,packages,site,tests,toolchain}/**/*.{ts,tsx,mjs,sh,sql,yaml,json,env,service}',
  {
    cwd: ROOT,
    exclude: (path) => path.endsWith('node_modules'),
  },
).filter((file) => !/\.test\.tsx?$/.test(file));
const CODE_TEXT = CODE.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n');
const OPTIONS = new Set(CODE_TEXT.match(/--[a-z][a-z-]*/g));
const NAMES = new Set(CODE_TEXT.match(/[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+/g));
const { scripts: SCRIPTS } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
/** Folders that a run makes, a variable of an editor, and an example of what git reads. */
const OTHERS = ['.gateway/', 'approvals/', 'GATEWAY_API_KEY', '--outp=x'];

/** Names in running text that nothing in the code answers to. */
function unknownIn(span: string): string | null {
  if (OTHERS.includes(span)) return null;
  const script = /^npm run ([a-z:]+)/.exec(span)?.[1];
  if (script !== undefined && SCRIPTS[script] === undefined) return span;
  if (/^(?:--|gw |gatewayctl |npm |npx gatewayctl )/.test(span)) {
    const options = span.match(/(?<![\w-])--[a-z][a-z-]*/g) ?? [];
    if (options.some((option) => !OPTIONS.has(option))) return span;
  }
  if (/^(?:GATEWAY|CONSOLE|DATABASE|ADMIN|OIDC|TLS)(?:_[A-Z0-9]+)+$/.test(span) && !isVariable(span)) return span;
  if (/^[\w.-]+(?:\/[\w.-]+)*\/$/.test(span) && !isFolder(span)) return span;
  return null;
}

/** The headers of an address are a setting of their own, whose name is put together. */
const isVariable = (name: string): boolean => NAMES.has(name) || NAMES.has(name.replace(/_HEADERS$/, ''));

const isFolder = (path: string): boolean =>
  existsSync(join(ROOT, path)) || CODE.some((file) => `/${file}`.includes(`/${path}`));

describe.each([...DOCUMENTS, ...globSync('site/pages/**/*.md', { cwd: ROOT }).sort()])('%s', (document) => {
  it('names no script, option, variable or folder that does not exist', () => {
    const spans = [...textOf(document).matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
    expect(spans.map(unknownIn).filter((span) => span !== null)).toEqual([]);
  });
});

describe.each(DOCUMENTS)('%s', (document) => {
  const text = textOf(document);

  it('links to nothing that is not there', () => {
    const gone = [...text.matchAll(/\]\((?!https?:)([^)]+)\)/g)].filter(([, link = '']) => {
      const [path = '', anchor] = link.split('#');
      const file = path === '' ? document : normalize(join(dirname(document), path));
      return !existsSync(join(ROOT, file)) || (anchor !== undefined && !anchorsOf(file).includes(anchor));
    });
    expect(gone.map(([link]) => link)).toEqual([]);
  });

  it('names no file of the sources that is not there', () => {
    const named = [...text.matchAll(/`([\w./-]+\/[\w.-]+\.(?:ts|mjs|sh|sql|cedarschema))`/g)].map(
      ([, path = '']) => path,
    );
    expect(named.filter((path) => !SOURCES.some((file) => `/${file}`.endsWith(`/${path}`)))).toEqual([]);
  });
});

it('the presets of the console are the engines of the manual, with its addresses', () => {
  const manual = readFileSync('site/pages/operator/engine.md', 'utf8');
  const rows = [...manual.matchAll(/^\| ([^|]+?) +\| `(https?:[^`]+)`/gm)].map(([, name = '', baseUrl]) => ({
    name,
    baseUrl,
  }));
  expect(PRESETS.map(({ baseUrl }) => baseUrl)).toEqual(rows.map(({ baseUrl }) => baseUrl));
  for (const [at, { name }] of PRESETS.entries()) expect(rows[at]?.name.startsWith(name)).toBe(true);
});
