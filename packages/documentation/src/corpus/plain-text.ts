/** A code span (CommonMark §6.1): as many backticks close it as opened it. A single character is its content at least. */
const CODE_SPAN = /(?<![\\`])(`+)(?!`)(.+?)(?<!`)\1(?!`)/g;
/** Stands for a code span while the text around it is read; no heading contains a NUL. */
const HELD = /\0(\d+)\0/g;

/** A heading as a reader sees it: without anchors, links, emphasis, badges and closing marks. Code is unchanged. */
export function plainText(markdown: string): string {
  const code: string[] = [];
  return markdown
    .replaceAll('\0', '')
    .replace(CODE_SPAN, (_, _marks, content: string) => `\0${code.push(content.replace(/^ (.*\S.*) $/, '$1')) - 1}\0`)
    .replace(/\s+#+\s*$/, '')
    .replace(/\s*\{#[^}]*\}\s*$/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<(?:[A-Z][\w.]*|a|span|sup|sub|br|img|code|kbd|b|i|em|strong)\b[^>]*>|<\/[A-Za-z][\w.]*>/g, '')
    .replace(/(\*\*|__)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .replace(/(?<![\\*\w])\*(?=[^\s*])([^*]*[^\s*\\])\*(?![*\w])/g, '$1')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(HELD, (_, index: string) => code[Number(index)] ?? '')
    .replace(/\u200b/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
