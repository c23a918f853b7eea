/** Something that the command palette does. */
export interface Command {
  readonly label: string;
  /** Its target or kind. */
  readonly note: string;
  /** What else people call it. */
  readonly keywords: string;
  readonly run: () => void;
}

const termsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** How well a command matches the typed text: 0 if a word matches nothing of it. */
function fit({ label, note, keywords }: Command, asked: readonly string[]): number {
  const own = termsOf(label);
  const others = termsOf(`${note} ${keywords}`);
  let sum = 0;
  for (const word of asked) {
    const isOwn = own.some((one) => one.startsWith(word));
    if (!isOwn && !others.some((one) => one.startsWith(word))) return 0;
    sum += isOwn ? 2 : 1;
  }
  // What begins as it was typed comes first, and a whole name before a longer one.
  return sum + (own.join(' ').startsWith(asked.join(' ')) ? 1 : 0) + 1 / (own.length + 1);
}

/** The commands that contain every typed word as the beginning of a word; best first. All commands if nothing was typed. */
export function matching(commands: readonly Command[], typed: string): readonly Command[] {
  const asked = termsOf(typed);
  if (asked.length === 0) return commands;
  return commands
    .map((command) => ({ command, score: fit(command, asked) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ command }) => command);
}
