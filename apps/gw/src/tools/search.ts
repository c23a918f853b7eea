import { relative } from 'node:path';
import type { ToolContext } from '../agent/types.ts';
import { pluralize } from '../process/pluralize.ts';
import * as s from '../schema/index.ts';
import { defineTool, fileOf } from './definition/define.ts';
import { SEARCH_LINE_CHARACTERS, SEARCH_LINES } from './definition/limits.ts';
import { filterOf } from './glob.ts';
import { fileOfLine, runRipgrep } from './ripgrep.ts';

export const search = defineTool({
  name: 'Search',
  description: `Searches file contents with a regular expression (ripgrep's syntax) and gives file:line:text. Files that git ignores are left out, whatever the glob, unless path names them or their folder; .git always is. At most ${SEARCH_LINES} lines; path and glob narrow the search.`,
  schema: s.object({
    pattern: s.string({ min: 1 }).describe('The regular expression.'),
    path: s.string({ min: 1 }).optional().describe('File or directory to search; the working directory by default.'),
    glob: s.string({ min: 1 }).optional().describe('Only files whose name matches, for example *.ts or src/**/*.md.'),
  }),
  effect: 'read',
  target: ({ path = '.' }) => ({ kind: 'path', value: path }),
  async run({ pattern, path = '.', glob }, context) {
    const where = await fileOf(path, context);
    const filter = glob === undefined ? null : filterOf(glob);
    const args = [
      '--no-config',
      '--line-number',
      '--with-filename',
      '--null',
      '--no-heading',
      '--color=never',
      '--hidden',
      '--no-messages',
      '--sort=path',
      `--max-columns=${SEARCH_LINE_CHARACTERS}`,
      '--max-columns-preview',
      ...(pattern.includes('\n') ? ['--multiline'] : []),
      ...(filter?.options ?? []),
      '--glob=!.git',
      `--regexp=${pattern}`,
      '--',
      relative(context.cwd, where) || '.',
    ];
    const found = await runRipgrep(args, context.cwd, context.signal, SEARCH_LINES, filter?.takes);
    if (found.code === 2 && found.lines.length === 0)
      return {
        outcome: 'failed',
        content:
          found.fault === ''
            ? `${path} cannot be searched: it does not exist or cannot be read.`
            : `Search failed: ${found.fault}`,
      };
    const { lines, left } = await readable(found.lines, context);
    if (lines.length === 0 && left === 0)
      return {
        outcome: 'succeeded',
        content: `Nothing matches ${JSON.stringify(pattern)}${glob === undefined ? '' : ` in files like ${glob}`} ${path === '.' ? 'here' : `below ${path}`}.`,
      };
    if (found.cut)
      lines.push(
        `[More lines match and were left out after ${SEARCH_LINES}: narrow the search with path, glob or a longer pattern]`,
      );
    if (left > 0) lines.push(`[Lines of ${pluralize(left, 'file')} that rules keep from being read were left out]`);
    return { outcome: 'succeeded', content: lines.join('\n') };
  },
});

/** `file:line:text` of each match, without those in files that Read may not read, and the number of such files. */
async function readable(found: readonly string[], context: ToolContext) {
  const lines: string[] = [];
  const kept = new Map<string, boolean>();
  for (const line of found) {
    const file = fileOfLine(line);
    const isKept = kept.get(file ?? '') ?? (file !== null && (await context.keepsFromReading(file)));
    kept.set(file ?? '', isKept);
    if (!isKept) lines.push(file === null ? line : `${file}:${line.slice(line.indexOf('\0') + 1)}`);
  }
  return { lines, left: [...kept.values()].filter(Boolean).length };
}
