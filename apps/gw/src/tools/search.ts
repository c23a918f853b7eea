import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import ignore from 'ignore';
import { type ToolContext, ToolFailed } from '../agent/types/index.ts';
import { pluralize } from '../process/pluralize.ts';
import * as s from '../schema/index.ts';
import { defineTool, fileOf } from './define.ts';
import { SEARCH_LINE_CHARACTERS, SEARCH_LINES } from './jobs.ts';

/** Milliseconds that a search may take. */
const LONGEST_MS = 60_000;

/** Patterns that the braces of one glob may stand for. */
const MOST_PATTERNS = 200;

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

interface Filter {
  /** For ripgrep. */
  readonly options: readonly string[];
  /** Whether a found file is wanted, by its path as ripgrep gives it; null where ripgrep has decided it. */
  readonly takes: ((file: string) => boolean) | null;
}

/**
 * Which files a glob takes. ripgrep's `--glob` also finds what git ignores; its types do not, but see only names. So a
 * glob with a path goes to ripgrep by its last part, and the path is compared here.
 */
function filterOf(glob: string): Filter {
  if (glob.startsWith('!')) return { options: [`--glob=${glob}`], takes: null };
  const name = glob.replace(/^(?:\*\*\/)+/, '');
  if (!name.includes('/')) return { options: typesOf([name]), takes: null };
  const patterns = expand(glob.replace(/^(?:\.\/)+/, ''));
  const names = patterns.map((pattern) => pattern.slice(pattern.lastIndexOf('/') + 1));
  const matcher = ignore({ ignorecase: false }).add(patterns.map((pattern) => pattern.replace(/^[#!]/, '\\$&')));
  return {
    options: names.some((one) => one === '' || one === '**') ? [] : typesOf(names),
    takes(file) {
      const plain = file.replaceAll('\\', '/').replace(/^(?:\.{0,2}\/)+/, '');
      return ignore.isPathValid(plain) && matcher.ignores(plain);
    },
  };
}

function typesOf(names: readonly string[]): string[] {
  return [...names.map((name) => `--type-add=wanted:${name}`), '--type=wanted'];
}

/** `a{b,c}` as `ab` and `ac`: git's notation has no braces. */
function expand(glob: string): string[] {
  const done: string[] = [];
  const open = [glob];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (done.length + open.length >= MOST_PATTERNS)
      throw new ToolFailed(`The glob stands for more than ${MOST_PATTERNS} patterns. Use fewer braces.`);
    // The innermost braces, without those that a backslash escapes.
    const [whole, choices = ''] = /(?<!\\)\{((?:[^{}\\]|\\.)*)\}/.exec(next) ?? [];
    if (whole === undefined) done.push(next);
    else open.push(...choices.split(',').map((choice) => next.replace(whole, () => choice)));
  }
  return done;
}

interface Found {
  /** 0 found, 1 nothing found, 2 wrong pattern or path; null where it was stopped. */
  readonly code: number | null;
  readonly lines: readonly string[];
  readonly cut: boolean;
  readonly fault: string;
}

/** The program: beside the built client, else in the packages of this platform. */
function program(): string {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const beside = fileURLToPath(new URL(name, import.meta.url));
  if (existsSync(beside)) return beside;
  try {
    const packages = createRequire(createRequire(import.meta.url).resolve('@vscode/ripgrep'));
    return packages.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/${name}`);
  } catch {
    throw new ToolFailed(
      `Search needs ripgrep, which is not installed for ${process.platform} ${process.arch}. Use Bash with grep.`,
    );
  }
}

/** The file of a line that was found with `--null`; null where the line names none. */
function fileOfLine(line: string): string | null {
  const end = line.indexOf('\0');
  return end < 0 ? null : line.slice(0, end).replace(/^\.\//, '');
}

/** Runs ripgrep without a shell and reads at most `most` lines of files that `takes` accepts. */
function runRipgrep(
  args: readonly string[],
  directory: string,
  signal: AbortSignal,
  most: number,
  takes: ((file: string) => boolean) | null = null,
): Promise<Found> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]);
  const child = spawn(program(), args, {
    cwd: directory,
    env: {},
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: limit,
    killSignal: 'SIGKILL',
  });
  const lines: string[] = [];
  let cut = false;
  let fault = '';
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (takes !== null && !takes(fileOfLine(line) ?? '')) return;
    if (lines.length < most) lines.push(line);
    else if (!cut) {
      cut = true;
      child.kill('SIGKILL');
    }
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    fault = (fault + text).slice(0, 1000);
  });
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      if (signal.aborted) reject(signal.reason as Error);
      else if (limit.aborted)
        reject(
          new ToolFailed(`The search took longer than ${LONGEST_MS / 1000} seconds: narrow it with path or glob.`),
        );
      else reject(new ToolFailed(`ripgrep cannot be started: ${error.message}`));
    });
    child.once('close', (code) => resolve({ code, lines, cut, fault: fault.trim() }));
  });
}
