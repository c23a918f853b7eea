/**
 * Fenced code blocks (CommonMark §4.5), followed line by line. Any indentation is accepted, because a block inside a list item is
 * indented as far as the item.
 */
export interface Fence {
  readonly mark: '`' | '~';
  /** How many marks opened it; as many close it. */
  readonly length: number;
}

/** Spares most lines the regular expressions. */
function mayBeFence(line: string): boolean {
  return line.includes('```') || line.includes('~~~');
}

/** The fence that a line opens, or null. A line of backticks with a backtick further on is inline code. */
export function openingFence(line: string): Fence | null {
  if (!mayBeFence(line)) return null;
  const opened = /^\s*(`{3,}(?=[^`]*$)|~{3,})/.exec(line);
  return opened?.[1] ? { mark: opened[1][0] as '`' | '~', length: opened[1].length } : null;
}

/** Whether a line closes a fence: at least as many of the same marks and nothing else. */
export function closesFence(line: string, fence: Fence): boolean {
  if (!mayBeFence(line)) return false;
  const closing = /^\s*(`{3,}|~{3,})\s*$/.exec(line)?.[1];
  return closing?.[0] === fence.mark && closing.length >= fence.length;
}

/** The open fence after a line, given the one that was open before it. */
export function fenceAfter(open: Fence | null, line: string): Fence | null {
  if (open === null) return openingFence(line);
  return closesFence(line, open) ? null : open;
}

/** Whether all fences that lines open are closed at their end. */
export function isBalanced(lines: readonly string[], from: number, to: number): boolean {
  let open: Fence | null = null;
  for (let at = from; at < to; at += 1) open = fenceAfter(open, lines[at] ?? '');
  return open === null;
}

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
