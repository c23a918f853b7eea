import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDERS = '{apps,bench,docs,packages,site,tests,toolchain}';
const SOURCES = globSync(`${FOLDERS}/**/*.{ts,mjs,sh,sql,cedarschema}`, {
  cwd: ROOT,
  exclude: (path) => path.endsWith('node_modules'),
});

/** Documents for developers of the gateway. site/build/manual.test.ts checks the pages of the manual. */
const DOCUMENTS = globSync(['*.md', 'docs/*.md', 'docs/contract/*.md', 'bench/*.md'], { cwd: ROOT }).sort();

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
