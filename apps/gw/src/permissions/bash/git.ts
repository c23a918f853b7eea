import { inner, NOTHING, nameOf, type Started, textOf, unknown } from './started.ts';
import type { SimpleCommand, Word } from './types.ts';

/** Options of git before its subcommand that take the next word. */
const VALUES = new Set([
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--exec-path',
  '--config-env',
  '--super-prefix',
  '--attr-source',
]);
/** Settings with which git starts no program. The value of any other may be one. */
const HARMLESS_SETTING =
  /^(?:user|author|committer|color|advice|column|log|status|blame|versionsort)\.|^(?:core\.(?:abbrev|autocrlf|bare|eol|filemode|ignorecase|longpaths|precomposeunicode|quotepath|safecrlf|symlinks|whitespace)|init\.defaultbranch|push\.(?:default|followtags|autosetupremote)|pull\.(?:ff|rebase)|merge\.(?:ff|conflictstyle)|rebase\.(?:autostash|autosquash)|diff\.(?:algorithm|context|mnemonicprefix|noprefix|renames|renamelimit)|http\.(?:postbuffer|lowspeedlimit|lowspeedtime|sslverify)|fetch\.(?:prune|parallel)|safe\.directory|rerere\.enabled|(?:commit|tag)\.gpgsign)$/i;
/** Options whose value is a command. Git also takes a shorter spelling of them. */
const COMMAND_OPTIONS = ['--exec', '--extcmd', '--upload-pack', '--receive-pack', '--open-files-in-pager'];
/** Their letter by subcommand, and the letters whose value follows in the same word. */
const SHORT: Readonly<Record<string, { readonly letter: string; readonly values: string }>> = {
  rebase: { letter: 'x', values: 'sCSX' },
  difftool: { letter: 'x', values: 'tOSG' },
  clone: { letter: 'u', values: 'bcjo' },
  grep: { letter: 'O', values: 'efmABC' },
};
/** Subcommands that may start a command because of one word, which is not known. */
const STARTS_BY_WORD = new Set('archive clone difftool fetch filter-branch grep ls-remote pull push rebase'.split(' '));

/** The words of a git command: those before its subcommand, the subcommand, and those behind it. */
export function gitWords(words: readonly Word[]): {
  readonly before: readonly Word[];
  readonly subcommand: Word | undefined;
  readonly behind: readonly Word[];
} {
  let at = 0;
  while (words[at]?.text.startsWith('-') === true) at += VALUES.has(words[at]?.text ?? '') ? 2 : 1;
  return { before: words.slice(0, at), subcommand: words[at], behind: words.slice(at + 1) };
}

/**
 * What `git checkout NAME` names: a branch, or a file or directory that it overwrites. Below the directory of `-C`. Null for any
 * other command, and where a branch is made.
 */
export function checkedOut([name, ...rest]: readonly Word[]): Word | null {
  if (name === undefined || name.dynamic || nameOf(name).toLowerCase() !== 'git') return null;
  const { before, subcommand, behind } = gitWords(rest);
  const [operand, another] = behind.filter(({ text, dynamic }) => dynamic || !text.startsWith('-'));
  if (subcommand?.text !== 'checkout' || operand === undefined || another !== undefined) return null;
  if (behind.some(({ text }) => /^-[A-Za-z]*[bBt]|^--(?:t|orphan|det)/.test(text))) return null;
  const directories = before.flatMap(({ text }, at) => (text === '-C' ? (before[at + 1] ?? []) : []));
  const dynamic = operand.dynamic || directories.some((each) => each.dynamic);
  return { ...operand, dynamic, text: [...directories, operand].map(({ text }) => text).join('/') };
}

/** What git starts: by aliases and settings, `bisect run`, `submodule foreach`, options and addresses that name a program. */
export function findStartedByGit(outer: SimpleCommand, words: readonly Word[]): Started {
  const { before, subcommand, behind } = gitWords(words);
  const name = subcommand?.text ?? '';
  const [first] = behind;
  if ((name === 'submodule' || name === 'bisect') && first?.dynamic === true)
    return unknown('What git starts is not known before the line runs.');
  if (
    (name === 'submodule' && behind.some(({ text }) => text === 'foreach')) ||
    (name === 'bisect' && first?.text === 'run')
  ) {
    const rest = behind
      .slice(behind.findIndex(({ text }) => text === 'foreach' || text === 'run') + 1)
      .filter(({ text }) => text !== '--recursive' && text !== '--quiet');
    return rest.length === 1 ? textOf(rest) : { ...NOTHING, commands: rest.length === 0 ? [] : [inner(outer, rest)] };
  }
  const lines: string[] = [];
  const opaque: string[] = [];
  const setting = (key: string, value: string): void => {
    const alias = /^alias\./i.test(key);
    if (alias) lines.push(value.startsWith('!') ? value.slice(1) : `git ${value}`);
    else if (!HARMLESS_SETTING.test(key)) opaque.push('A setting of git may start any command.');
  };
  const set = (text: string): void => setting(text.split('=', 1)[0] ?? '', text.slice(text.indexOf('=') + 1));
  for (const [at, { text }] of before.entries()) {
    const value = text === '-c' ? before[at + 1]?.text : /^-c(.+)$/s.exec(text)?.[1];
    if (value !== undefined) set(value);
    if (/^--(?:config-env|exec-path)/.test(text)) opaque.push('A setting of git may start any command.');
  }
  if (name === 'config') {
    const [key, value] = behind.filter(({ text }) => text.includes('.') || !/^(?:-|set$)/.test(text));
    if (
      key !== undefined &&
      value !== undefined &&
      !behind.some(({ text }) => /^--?(?:get|unset|list|remove)/.test(text))
    )
      setting(key.text, value.text);
  }
  const programs: Word[] = [];
  for (const [at, { text }] of behind.entries()) {
    const value = commandIn(name, text);
    if (value === '' && !(name === 'grep' && !text.startsWith('--'))) programs.push(...behind.slice(at + 1, at + 2));
    else if (value !== null && value !== '') lines.push(value);
    const config = name === 'clone' ? /^(?:-[^-bjou]*c|--conf?i?g?=?)([\s\S]*)$/.exec(text)?.[1] : undefined;
    if (config !== undefined) set(config === '' ? (behind[at + 1]?.text ?? '') : config);
  }
  const end = behind.findIndex(({ text, dynamic }) => text === '--' && !dynamic);
  if (STARTS_BY_WORD.has(name) && (end < 0 ? behind : behind.slice(0, end)).some(({ dynamic }) => dynamic))
    opaque.push('An option of git may start any command.');
  const started = programs.map((program) => textOf([program]));
  return {
    ...NOTHING,
    lines: [...lines, ...started.flatMap((one) => one.lines)],
    opaque: [...opaque, ...started.flatMap((one) => one.opaque)],
  };
}

/** The command in an option: empty where the next word is the command, null in another word. */
function commandIn(subcommand: string, text: string): string | null {
  if (text.startsWith('ext::')) return text.slice('ext::'.length);
  const [, option = '', value = ''] = /^(--[a-z][a-z-]*)(?:=([\s\S]*))?$/.exec(text) ?? [];
  if (option !== '')
    return option.endsWith('-filter') || COMMAND_OPTIONS.some((one) => one.startsWith(option)) ? value : null;
  const short = SHORT[subcommand];
  if (short === undefined) return null;
  return new RegExp(`^-[^-${short.values}${short.letter}]*${short.letter}([\\s\\S]*)$`).exec(text)?.[1] ?? null;
}
