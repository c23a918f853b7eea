import { GIT_CHANGING } from './git-changing.ts';
import { describeGitLoss } from './git-loss.ts';
import { GIT_READING } from './git-reading.ts';
import { optionsOf, type Program, valuesOf } from './program.ts';
import { literal, literalOf, nameOf, unknownWord, type Word } from './word.ts';

/** Settings that change how git prints, and nothing else. */
const PRINTING =
  /^(?:(?:color|column|advice)\.|core\.(?:quotepath|abbrev)=|user\.(?:name|email)=|diff\.(?:algorithm|noprefix|mnemonicprefix|renames)=)/i;

export const GIT: Program = {
  names: 'git',
  options: `-C~ -c: --git-dir!~ --work-tree!~ --namespace!: --exec-path!? --config-env!: --super-prefix!: --attr-source!: --no-pager -P -p,--paginate
    --no-optional-locks --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-replace-objects --no-lazy-fetch
    --bare! -v,--version -h,--help! --html-path --man-path --info-path --no-advice`,
  subcommands: { ...GIT_READING, ...GIT_CHANGING },
  judge(given, use, words) {
    for (const [at, word] of words.entries()) {
      const line = /^ext::([\s\S]*)$/.exec(literalOf({ word }) ?? '')?.[1];
      if (line === undefined || at <= given.end) continue;
      use.lines.push({ text: line, dynamic: false, splits: false });
      use.beyond(at);
    }
    for (const item of valuesOf(given, '-c')) {
      if (PRINTING.test(literalOf(item) ?? '')) continue;
      use.acts = true;
      use.beyond(item.at);
    }
    use.destroys ??= describeGitLoss(words[given.end], words.slice(given.end + 1));
  },
};

/** The words of a git command: those before its subcommand, the subcommand, and those behind it. */
export function gitWords(words: readonly Word[]): {
  readonly before: readonly Word[];
  readonly subcommand: Word | undefined;
  readonly behind: readonly Word[];
} {
  const { end } = optionsOf(GIT, words, 0);
  return { before: words.slice(0, end), subcommand: words[end], behind: words.slice(end + 1) };
}

/** Whether a subcommand has an option whose value is a command: a word that is not known may be that option. */
export function startsByOption(subcommand: string): boolean {
  const [, program] =
    Object.entries(GIT.subcommands ?? {}).find(([names]) => names.split(' ').includes(subcommand)) ?? [];
  return /\$(?:\?|\s|$)/.test(program?.options ?? '');
}

/** The folder in which `git -C folder` works; null where it is the working directory. */
export function gitFolder([name, ...rest]: readonly Word[]): Word | null {
  if (name === undefined || name.dynamic || nameOf(name).toLowerCase() !== 'git') return null;
  const folders = valuesOf(optionsOf(GIT, rest, 0), '-C');
  const texts = folders.map(literalOf);
  if (folders.length === 0) return null;
  if (texts.some((text) => text === null)) return unknownWord(false);
  return literal(texts.reduce<string>((one, text) => (text?.startsWith('/') === true ? text : `${one}/${text}`), '.'));
}
