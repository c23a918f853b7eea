/** Characters of a passage that are shown below its title. */
const MOST = 200;

/** The words of a passage in Markdown, on one line, cut at a word. */
export function plainWords(markdown: string): string {
  const text = markdown
    .replaceAll(/^\s*(?:```|~~~).*$/gm, '')
    .replaceAll(/^[ |:-]+$/gm, '')
    .replaceAll(/^\s*(?:#+|[-*>]|\d+\.)\s+/gm, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[.,;:)])/g, '')
    .trim();
  if (text.length <= MOST) return text;
  const end = text.lastIndexOf(' ', MOST);
  return `${text.slice(0, end > 0 ? end : MOST).replace(/[\ud800-\udbff]$/, '')} …`;
}
