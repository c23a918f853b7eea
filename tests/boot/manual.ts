import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGES = join(import.meta.dirname, '../../site/pages/deployment');

/**
 * The commands of a page of the manual: a code block with this text.
 * @param language of the block
 * @throws if no block of the page has the text, or several have
 */
export function commandsOf(page: string, part: string, language = 'sh'): string {
  const text = readFileSync(join(PAGES, `${page}.md`), 'utf8');
  const blocks = [...text.matchAll(/^( *)```(\w+)\n([\s\S]*?)^ *```$/gm)].flatMap(([, indent, written, body = '']) =>
    written === language && body.includes(part) ? [body.replaceAll(new RegExp(`^${indent}`, 'gm'), '')] : [],
  );
  const [block, another] = blocks;
  if (block === undefined || another !== undefined)
    throw new Error(`${page}.md has ${blocks.length} blocks of ${language} with "${part}": one is needed.`);
  return block;
}
