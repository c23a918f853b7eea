import ignore from 'ignore';
import { ToolFailed } from '../agent/types.ts';

/** Patterns that the braces of one glob may stand for. */
const MOST_PATTERNS = 200;

export interface Filter {
  /** For ripgrep. */
  readonly options: readonly string[];
  /** Whether a found file is wanted, by its path as ripgrep gives it; null where ripgrep has decided it. */
  readonly takes: ((file: string) => boolean) | null;
}

/**
 * Which files a glob takes. ripgrep's `--glob` also finds what git ignores; its types do not, but see only names. So a
 * glob with a path goes to ripgrep by its last part, and the path is compared here.
 */
export function filterOf(glob: string): Filter {
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
