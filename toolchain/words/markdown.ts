import type { Text } from './text.ts';

const FENCE = /^\s*(`{3,}|~{3,})/;
const ITEM = /^\s*(?:[-*+]|\d+\.)\s+/;
const TABLE_ROW = /^\s*\|/;
const STANDS_ALONE = /^\s*(?:#{1,6}\s|:::|<|>|!\[)/;

/** Link texts stay, addresses go; code counts as one word and is not searched for banned words. */
function plain(line: string): string {
  return line
    .replaceAll(/`+[^`]*`+/g, '`')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<[^>]+>/g, '')
    .replace(/^\s*(?:#{1,6}|>)\s*/, '')
    .replace(ITEM, '')
    .replaceAll('**', '');
}

function cellsOf(row: string): readonly string[] {
  return row.split(/(?<!\\)\|/).filter((cell) => /[a-z]/i.test(cell));
}

/** The texts of a Markdown page: paragraphs, list items, headings and table cells. Code blocks and front matter are excluded. */
export function textsOfMarkdown(source: string): readonly Text[] {
  const texts: Text[] = [];
  let paragraph: { line: number; parts: string[] } | null = null;
  let fence = '';
  const end = (): void => {
    if (paragraph !== null) texts.push({ line: paragraph.line, text: paragraph.parts.join(' ') });
    paragraph = null;
  };
  const lines = source.replace(/^---\n[\s\S]*?\n---\n/, (front) => front.replaceAll(/[^\n]/g, '')).split('\n');
  for (const [index, line] of lines.entries()) {
    const mark = FENCE.exec(line)?.[1] ?? '';
    if (fence !== '' || mark !== '') {
      end();
      if (fence === '') fence = mark;
      // As many marks at least, and nothing else: a block of four contains samples of three.
      else if (mark.startsWith(fence) && line.trim() === mark) fence = '';
      continue;
    }
    if (TABLE_ROW.test(line)) {
      end();
      for (const cell of cellsOf(plain(line))) texts.push({ line: index + 1, text: cell.trim() });
    } else if (line.trim() === '' || STANDS_ALONE.test(line)) {
      end();
      if (line.trim() !== '') texts.push({ line: index + 1, text: plain(line).trim() });
    } else {
      if (ITEM.test(line)) end();
      paragraph ??= { line: index + 1, parts: [] };
      paragraph.parts.push(plain(line).trim());
    }
  }
  end();
  return texts.filter(({ text }) => text !== '');
}
