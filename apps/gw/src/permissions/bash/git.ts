import { gitWords, startsByOption } from '../programs/git.ts';
import type { Word } from '../programs/word.ts';
import { inner, NOTHING, type Started, startedByText, unknown } from './started.ts';
import type { SimpleCommand } from './types.ts';

/** Settings with which git starts no program. The value of any other may be one. */
const HARMLESS_SETTING =
  /^(?:user|author|committer|color|advice|column|log|status|blame|versionsort)\.|^(?:core\.(?:abbrev|autocrlf|bare|eol|filemode|ignorecase|longpaths|precomposeunicode|quotepath|safecrlf|symlinks|whitespace)|init\.defaultbranch|push\.(?:default|followtags|autosetupremote)|pull\.(?:ff|rebase)|merge\.(?:ff|conflictstyle)|rebase\.(?:autostash|autosquash)|diff\.(?:algorithm|context|mnemonicprefix|noprefix|renames|renamelimit)|http\.(?:postbuffer|lowspeedlimit|lowspeedtime|sslverify)|fetch\.(?:prune|parallel)|safe\.directory|rerere\.enabled|(?:commit|tag)\.gpgsign)$/i;
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
    return rest.length === 1
      ? startedByText(rest)
      : { ...NOTHING, commands: rest.length === 0 ? [] : [inner(outer, rest)] };
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
  for (const [at, { text }] of behind.entries()) {
    const config = name === 'clone' ? /^(?:-[^-bjou]*c|--conf?i?g?=?)([\s\S]*)$/.exec(text)?.[1] : undefined;
    if (config !== undefined) set(config === '' ? (behind[at + 1]?.text ?? '') : config);
  }
  const end = behind.findIndex(({ text, dynamic }) => text === '--' && !dynamic);
  if (startsByOption(name) && (end < 0 ? behind : behind.slice(0, end)).some(({ dynamic }) => dynamic))
    opaque.push('An option of git may start any command.');
  const started = outer.use.lines.map((line) => startedByText([line]));
  return {
    ...NOTHING,
    lines: [...lines, ...started.flatMap((one) => one.lines)],
    opaque: [...opaque, ...started.flatMap((one) => one.opaque)],
  };
}
