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
