import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DRAWINGS, isDrawing } from './drawings.ts';
import { KEYWORDS, NAMES } from './keywords.ts';
import { INDEX, PAGES } from './sections.ts';

/** What the archive contains in addition to the pages: its metadata, and the corpus for agents and search. */
export async function writeArchiveFiles(pages: string, out: string, version: string): Promise<void> {
  const base = `/v/${version}`;
  const texts = await Promise.all(
    [INDEX, ...PAGES].map(async ({ path, title }) => ({
      path,
      title,
      text: readable(await readFile(join(pages, `${path}.md`), 'utf8'), base),
    })),
  );
  const full = texts
    .map(({ path, text }) => {
      const names = NAMES[path] === undefined ? '' : `names: ${NAMES[path]}\n`;
      return `---\nurl: ${base}/${path}.md\nkeywords: ${KEYWORDS[path] ?? ''}\n${names}---\n\n${text.trim()}\n`;
    })
    .join('\n---\n\n');
  const list = texts.map(({ path, title }) => `- [${title}](${base}/${path}.md)`).join('\n');
  await writeFile(join(out, 'archive.json'), `${JSON.stringify({ version, path: base })}\n`);
  await writeFile(join(out, 'llms-full.txt'), full);
  await writeFile(join(out, 'llms.txt'), `# gateway\n\n> The manual of version ${version}.\n\n${list}\n`);
  for (const { path, text } of texts) {
    await mkdir(dirname(join(out, path)), { recursive: true });
    await writeFile(join(out, `${path}.md`), text);
  }
}

/** A page as an agent reads it: without front matter, pictures as words, entities resolved, links to other pages as this gateway serves them. */
function readable(markdown: string, base: string): string {
  return (
    markdown
      .replace(/^---\n[\s\S]*?\n---\n/, '')
      .replaceAll(/^<Diagram name="([^"]*)" \/>$/gm, (_, name: string) =>
        isDrawing(name) ? `Diagram: ${DRAWINGS[name].description}` : '',
      )
      // One of two pictures, which differ in their theme alone.
      .replaceAll(/^!\[[^\]]*\]\([^)]*\)\{\.dark-only\}\n/gm, '')
      .replaceAll(/^!\[([^\]]*)\]\([^)]*\)(?:\{[^}]*\})?$/gm, 'Picture: $1')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&#123;', '{')
      .replaceAll('&#58;', ':')
      .replaceAll('&amp;', '&')
      .replaceAll(/\]\(\/([^)#\s]*)/g, (link, path: string) =>
        PAGES.some((page) => page.path === path) ? `](${base}/${path}.md` : link,
      )
  );
}
