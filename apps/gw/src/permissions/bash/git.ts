import { inner, NOTHING, type Started, textOf } from './started.ts';
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
/** Options whose value is a command. */
const COMMAND_OPTION = /^(?:--exec|--extcmd|--upload-pack|--receive-pack|--open-files-in-pager|--[a-z-]+-filter)$/;
const COMMAND_JOINED =
  /^(?:(?:--exec|--extcmd|--upload-pack|--receive-pack|--open-files-in-pager|--[a-z-]+-filter)=|ext::)([\s\S]+)$/;
/** The short spelling of such an option, by subcommand. */
const SHORT: Readonly<Record<string, string>> = { rebase: '-x', difftool: '-x', clone: '-u', grep: '-O' };

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

/** What git starts: by aliases and settings, `bisect run`, `submodule foreach`, options and addresses that name a program. */
export function startedByGit(outer: SimpleCommand, words: readonly Word[]): Started {
  const { before, subcommand, behind } = gitWords(words);
  const name = subcommand?.text ?? '';
  const [first] = behind;
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
  for (const [at, { text }] of before.entries()) {
    const value = text === '-c' ? before[at + 1]?.text : /^-c(.+)$/s.exec(text)?.[1];
    if (value !== undefined) setting(value.split('=', 1)[0] ?? '', value.slice(value.indexOf('=') + 1));
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
  const short = SHORT[name];
  const option = ({ text }: Word): boolean => COMMAND_OPTION.test(text) || text === short;
  const programs = behind.flatMap((word, at) => (option(word) && short !== '-O' ? behind.slice(at + 1, at + 2) : []));
  for (const { text } of behind) {
    const joined = COMMAND_JOINED.exec(text)?.[1] ?? (short !== undefined && text.startsWith(short) && text.slice(2));
    if (joined) lines.push(joined);
  }
  const started = programs.map((program) => textOf([program]));
  return {
    ...NOTHING,
    lines: [...lines, ...started.flatMap((one) => one.lines)],
    opaque: [...opaque, ...started.flatMap((one) => one.opaque)],
  };
}
