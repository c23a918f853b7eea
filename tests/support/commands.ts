/** A command on a page for its reader to run. */
export interface ShellCommand {
  readonly file: string;
  readonly line: string;
}

/** Commands in the fences of a Markdown text, one a line; a backslash continues a line, comments are removed. */
export function commandsOf(file: string, markdown: string): readonly ShellCommand[] {
  return [...markdown.matchAll(/^ *```(?:sh|bash|shell|console)\n([\s\S]*?)^ *```$/gm)].flatMap(([, body = '']) =>
    body
      .replaceAll(/\\\n\s*/g, ' ')
      .split('\n')
      .map((line) => line.replace(/(^|\s{2,})#.*$/, '').trim())
      .filter((line) => line !== '')
      .map((line) => ({ file, line })),
  );
}

/** Whole commands of gatewayctl in running text: `gatewayctl journal verify --since CHECKPOINT`. */
export function spokenCommandsOf(file: string, markdown: string): readonly ShellCommand[] {
  return [...markdown.matchAll(/`((?:node dist\/[a-z-]+\/gatewayctl\.js|gatewayctl) [a-z-][^`…]*)`/g)].map(
    ([, line = '']) => ({ file, line }),
  );
}

/** Statements of the SQL fences of a Markdown text. */
export function statementsOf(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^```sql\n([\s\S]*?)^```$/gm)].flatMap(([, body = '']) =>
    body
      .split(';')
      .map((statement) => statement.trim())
      .filter((statement) => statement !== ''),
  );
}
