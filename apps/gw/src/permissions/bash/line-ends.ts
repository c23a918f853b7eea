import type { Node } from 'web-tree-sitter';

/** What ends at the end of its line. */
const PARTS = ['command', 'declaration_command', 'unset_command', 'redirected_statement', 'file_redirect'];

/** Whether the grammar takes a line that begins with a backslash for a part of the command above it: `echo a`, then `\\rm b`. */
export function hidesLineEnd(root: Node): boolean {
  const words = root.descendantsOfType('word').some((word) => word !== null && hasLineEnd(word.text));
  return words || root.descendantsOfType(PARTS).some((part) => part !== null && betweenChildren(part).some(hasLineEnd));
}

function hasLineEnd(text: string): boolean {
  return /(?<!\\)\n/.test(text);
}

function betweenChildren(node: Node): readonly string[] {
  let end = node.startIndex;
  return node.children.map((child) => {
    if (child === null) return '';
    const between = node.text.slice(end - node.startIndex, child.startIndex - node.startIndex);
    end = child.endIndex;
    return between;
  });
}
