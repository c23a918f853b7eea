/** The argument of a call that a person edits, and how the edited text goes back into the call. */
export interface EditableArgument {
  readonly label: string;
  readonly text: string;
  /** The arguments with the edited text, as JSON; null where the text does not fit. */
  readonly apply: (text: string) => string | null;
}

/** What is worth editing of each tool. Of any other, all arguments are edited as JSON. */
const ARGUMENTS: Readonly<Record<string, readonly [member: string, label: string]>> = {
  Bash: ['command', 'the command'],
  Write: ['content', 'the content of the file'],
  Edit: ['new_string', 'the new text'],
  Fetch: ['url', 'the address'],
};

export function editableArgument(tool: string, json: string): EditableArgument {
  const args = objectOf(json);
  const [member, label] = ARGUMENTS[tool] ?? [];
  if (args !== null && member !== undefined && label !== undefined) {
    const value = args[member];
    if (typeof value === 'string')
      return { label, text: value, apply: (text) => JSON.stringify({ ...args, [member]: text }) };
  }
  return {
    label: 'the arguments (JSON)',
    text: args === null ? json : JSON.stringify(args, null, 2),
    apply: (text) => (objectOf(text) === null ? null : text),
  };
}

function objectOf(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
