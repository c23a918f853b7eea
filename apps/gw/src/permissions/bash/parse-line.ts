import { copiesPrograms, doesNotRunItsWords } from '../programs/table.ts';
import { nameOf, type Word } from '../programs/word.ts';
import { aliasLine, type GitAliases } from './git-aliases.ts';
import { bashParser } from './grammar.ts';
import { readNodes } from './nodes.ts';
import type { ParsedLine, SimpleCommand } from './types.ts';
import { namesSetBy } from './variable-names.ts';
import { findStarted } from './wrappers.ts';

/** `sh -c "sh -c …"` deeper than this is not followed. */
const DEEPEST = 6;
/** Longer lines are not parsed: nobody reads them before approving them either. */
const LONGEST_LINE = 64 * 1024;

/**
 * The simple commands of a Bash line: those of pipes, lists, compound commands, functions, substitutions and
 * here-documents, and those that `env`, `xargs`, `find -exec`, `sh -c` and their like start.
 */
export async function parseLine(source: string, aliases: GitAliases = new Map()): Promise<ParsedLine> {
  return parseDeep(source, 0, aliases);
}

async function parseDeep(source: string, depth: number, aliases: GitAliases): Promise<ParsedLine> {
  // Bash and the grammar may disagree on what separates words where there are other blanks than these.
  // oxlint-disable-next-line no-control-regex
  if (source.length > LONGEST_LINE || /[\0-\x08\x0b-\x1f\x7f\x85\u2028\u2029]/.test(source)) {
    return { source, parsed: false, commands: [], opaque: ['The line holds control characters or is very long.'] };
  }
  const parser = await bashParser();
  const tree = parser.parse(source);
  if (tree === null) return { source, parsed: false, commands: [], opaque: ['The line cannot be parsed.'] };
  try {
    const found = readNodes(tree.rootNode);
    if (!found.parsed)
      return { source, parsed: false, commands: found.commands, opaque: ['The line cannot be parsed.'] };
    // The shell joins what an escaped line end divides; the grammar takes it for two words.
    const divided = /\S\\\n\S/.test(source) ? ['A word goes on behind a line end.'] : [];
    return await withStarted(source, found.commands, [...divided, ...found.opaque], depth, aliases);
  } finally {
    tree.delete();
  }
}

async function withStarted(
  source: string,
  direct: readonly SimpleCommand[],
  reasons: readonly string[],
  depth: number,
  aliases: GitAliases,
): Promise<ParsedLine> {
  const commands: SimpleCommand[] = [];
  const opaque = [...reasons];
  let parsed = true;
  const queue = direct.map((command) => ({ command, depth }));
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const started = findStarted(next.command);
    const assignments = [...next.command.assignments, ...namesSetBy(next.command)];
    commands.push({ ...next.command, assignments, transparent: started.transparent });
    opaque.push(...started.opaque);
    const alias = aliasLine(next.command, aliases);
    const lines = alias === null ? started.lines : [...started.lines, alias];
    const deeper = next.depth + 1;
    if (started.commands.length + lines.length > 0 && deeper > DEEPEST) {
      opaque.push('Commands start each other too deeply.');
      continue;
    }
    // Next, for a later command may run in the directory that this one changes to.
    queue.unshift(...started.commands.map((command) => ({ command, depth: deeper })));
    for (const line of lines) {
      const inner = await parseDeep(line, deeper, aliases);
      parsed &&= inner.parsed;
      commands.push(...inner.commands);
      opaque.push(...inner.opaque);
    }
  }
  if (runsWhatItWrites(commands)) opaque.push('It runs a file that it writes.');
  return { source, parsed, commands, opaque };
}

/** `cat > x <<'END' …; sh x`, `> x …; ./x`: the rules look at commands, and this hides one in a text. */
function runsWhatItWrites(commands: readonly SimpleCommand[]): boolean {
  const written = commands.flatMap(findWritten);
  if (written.length === 0) return false;
  const isWritten = (word: Word): boolean =>
    written.some((one) => (one.dynamic ? word.text.includes('/') : nameOf(one) === nameOf(word)));
  return commands.some((command) => {
    const [name, ...rest] = command.words;
    if (name === undefined) return false;
    const script = rest.find(({ text }) => !text.startsWith('-'));
    return isWritten(name) || (script !== undefined && !doesNotRunItsWords(command.words) && isWritten(script));
  });
}

/** The files that a command writes; of a copy only if it is not known what is copied. */
function findWritten({ redirections, words: [name, ...rest] }: SimpleCommand): readonly Word[] {
  const targets = redirections.flatMap(({ effect, target }) => (effect === 'write' && !target.dynamic ? [target] : []));
  if (name === undefined) return targets;
  const program = nameOf(name);
  const files = rest.filter(({ text, dynamic }) => dynamic || !text.startsWith('-'));
  if (program === 'tee') return [...targets, ...files.filter(({ dynamic }) => !dynamic)];
  const isUnknown = files.some(({ dynamic, splits }) => dynamic || splits);
  return copiesPrograms(program) && isUnknown ? [...targets, ...files.slice(-1)] : targets;
}
