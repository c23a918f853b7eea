const CHANGES_A_FILE = new Set(['Write', 'Edit', 'MultiEdit']);

/** What an approval that is remembered approves, in words: other contents of the same file too, for a tool that changes one. */
export function describeScope(tool: string): string {
  return CHANGES_A_FILE.has(tool) ? `any ${tool} to this file` : 'this exact call';
}
