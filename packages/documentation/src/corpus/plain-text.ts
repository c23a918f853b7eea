/** A heading as a reader sees it: without anchors, links, emphasis, badges and closing marks. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/\s+#+\s*$/, '')
    .replace(/\s*\{#[^}]*\}\s*$/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<(?:[A-Z][\w.]*|a|span|sup|sub|br|img|code|kbd|b|i|em|strong)\b[^>]*>|<\/[A-Za-z][\w.]*>/g, '')
    .replace(/`([^`]*)`/g, '$1')
    .replace(/(\*\*|__)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/\u200b/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
