import { type Fence, fenceAfter, openingFence } from '../corpus/fences.ts';

/** A paragraph, list or table, or a fenced block with both its marks. */
export interface Block {
  readonly kind: 'prose' | 'code';
  readonly lines: readonly string[];
}

/** A line that only opens or closes a component of the page: nothing to read. */
const COMPONENT = /^\s*<\/?[A-Z][\w.]*(?:\s[^<>]*)?\/?>\s*$/;

/** Cuts the text of a passage at blank lines and around fenced blocks. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let lines: string[] = [];
  let open: Fence | null = null;
  const finish = (): void => {
    if (lines.length > 0) blocks.push({ kind: 'prose', lines });
    lines = [];
  };
  for (const line of text.split('\n')) {
    const next = fenceAfter(open, line);
    if (open === null && next !== null) finish();
    if (open !== null && next === null) {
      blocks.push(codeBlock(lines, open));
      lines = [];
    } else if (open === null && next === null) {
      if (line.trim() === '') finish();
      else if (!COMPONENT.test(line) && !looksLikeFence(line)) lines.push(line);
    } else {
      lines.push(line);
    }
    open = next;
  }
  if (open === null) finish();
  else blocks.push(codeBlock(lines, open));
  return blocks;
}

/**
 * A block with its closing line, moved to the left by the indentation of its first line, so that CommonMark readers see the same
 * beginning and end.
 */
function codeBlock(lines: readonly string[], { mark, length }: Fence): Block {
  const indentation = (lines[0] ?? '').search(/\S/);
  const moved = lines.map((line) => line.slice(Math.min(indentation, Math.max(0, line.search(/\S|$/)))));
  return { kind: 'code', lines: [...moved, mark.repeat(length)] };
}

/** Inline code of three backticks at the start of a line, which other readers take for an opened block. */
function looksLikeFence(line: string): boolean {
  return openingFence(line) === null && /^\s*(?:`{3}|~{3})/.test(line);
}
