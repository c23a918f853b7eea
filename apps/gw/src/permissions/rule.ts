/** `Tool` or `Tool(pattern)`, as a person or an organization wrote it. */
export interface Rule {
  readonly tool: string;
  /** Null: every call of the tool. */
  readonly pattern: string | null;
  readonly text: string;
}

/** A rule, or why the text is none: the end of a sentence that begins with the text. */
export function parseRule(text: string): { readonly rule: Rule } | { readonly fault: string } {
  const trimmed = text.trim();
  if (trimmed === '') return { fault: 'is empty: name a tool, for example Write or Bash(git status)' };
  const found = /^([^\s()]+)(?:\(([\s\S]*)\))?$/.exec(trimmed);
  const [, tool, pattern = null] = found ?? [];
  if (tool === undefined) return { fault: 'is not a rule: write Tool or Tool(pattern), for example Bash(npm run *)' };
  if (pattern?.trim() === '') return { fault: `has an empty pattern: write ${tool} for every call of the tool` };
  if (pattern?.startsWith('!')) return { fault: 'must not begin its pattern with "!": use --exclude instead' };
  return { rule: { tool, pattern: pattern?.trim() ?? null, text: trimmed } };
}

/** The tools of the client itself. */
export const TOOL_NAMES: readonly string[] =
  'Read List Search Write Edit MultiEdit Bash BashOutput BashStop Fetch Checklist AskQuestion Agent Status'.split(' ');

/** The same for a rule that a person wrote: a misspelt tool is refused, because an exclusion of it would exclude nothing. */
export function parseOwnRule(text: string): ReturnType<typeof parseRule> {
  const read = parseRule(text);
  if ('fault' in read || /[*]|^mcp__/i.test(read.rule.tool) || TOOL_NAMES.some((tool) => isAbout(read.rule, tool)))
    return read;
  return { fault: `names no tool: tools are ${TOOL_NAMES.join(', ')} and mcp__<server>__<tool>` };
}

/** Whether a rule applies to a tool. Letter case is ignored; `*` matches any text (`mcp__files__*`). */
export function isAbout(rule: Rule, tool: string): boolean {
  return matchesText(rule.tool.toLowerCase(), tool.toLowerCase());
}

/** Whether a text matches a pattern in which `*` matches any text. */
export function matchesText(pattern: string, text: string): boolean {
  const parts = pattern.split('*');
  const [head = ''] = parts;
  const tail = parts.at(-1) ?? '';
  if (parts.length === 1) return pattern === text;
  if (text.length < head.length + tail.length || !text.startsWith(head) || !text.endsWith(tail)) return false;
  let at = head.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > text.length - tail.length) return false;
    at = found + part.length;
  }
  return true;
}
