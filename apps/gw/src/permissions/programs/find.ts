import type { Program, UseBuilder } from './program.ts';
import { type Item, literal, literalOf, type Word } from './word.ts';

/** Words of an expression of find that change nothing, by the number of values behind them. */
const TESTS: Readonly<Record<string, number>> = Object.fromEntries([
  ...`-empty -readable -writable -executable -print -print0 -prune -quit -ls -not -a -o -and -or ! ( ) , -true -false -xdev -mount -depth
    -d -daystart -noleaf -ignore_readdir_race -noignore_readdir_race -warn -nowarn -nouser -nogroup`
    .split(/\s+/)
    .map((name) => [name, 0] as const),
  ...`-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size -mtime -mmin -atime -amin -ctime -cmin
    -newer -anewer -cnewer -newerXY -newermt -newerat -newerct -samefile -perm -user -group -uid -gid -maxdepth -mindepth -links -inum
    -lname -ilname -fstype -used -printf -context`
    .split(/\s+/)
    .map((name) => [name, 1] as const),
]);
const WRITES = /^-(?:fprint0?|fls|fprintf)$/;
export const EXECUTES = /^(?:-(?:exec|execdir|ok|okdir)|-x|-X|--exec|--exec-batch)$/;
const HERE: Item = { word: literal('.'), at: 0 };

export const FIND: Program = {
  names: 'find gfind',
  raw: true,
  judge: (_, use, words) => judgeFind(words, use),
};

function judgeFind(words: readonly Word[], use: UseBuilder): void {
  let at = 1;
  for (; at < words.length; at += 1) {
    const text = words[at]?.dynamic ? null : words[at]?.text;
    if (text === '-H' || text === '-L') use.beyond(at);
    else if (text == null || !/^-(?:P|O\d?|D)$/.test(text)) break;
  }
  const starts: Item[] = [];
  for (; at < words.length; at += 1) {
    const word = words[at] ?? literal('');
    const text = literalOf({ word });
    if (text !== null && /^(?:-.|[!(])/.test(text)) break;
    starts.push({ word, at });
    if (word.dynamic || (word.splits && /^[*?[]/.test(word.text))) use.beyond(at);
  }
  for (const item of starts.length === 0 ? [HERE] : starts) use.path('lists', item, true);
  let deletes = false;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? literal('');
    const text = literalOf({ word });
    const values =
      text === null || word.splits ? undefined : (TESTS[text] ?? (/^-newer[aBcm][aBcmt]$/.test(text) ? 1 : undefined));
    if (values !== undefined) {
      if (values > 0 && words[at + 1]?.splits === true) use.beyond(at + 1);
      at += values;
      continue;
    }
    use.acts = true;
    use.beyond(at);
    if (text === '-delete') deletes = true;
    if (text !== null && (WRITES.test(text) || text === '-files0-from')) {
      const next = words[at + 1];
      if (next !== undefined) {
        use.path(WRITES.test(text) ? 'writes' : 'reads', { word: next, at: at + 1 });
        use.beyond(at + 1, at);
        at += 1;
      }
    } else if (text !== null && EXECUTES.test(text)) {
      // The command is judged by itself; as words of find it belongs to the option.
      const option = at;
      while (at + 1 < words.length && !/^(?:;|\+)$/.test(words[at + 1]?.text ?? '')) use.beyond((at += 1), option);
      if (at + 1 < words.length) at += 1;
    }
  }
  if (!deletes) return;
  use.destroys = 'It removes files that it does not name';
  for (const item of starts.length === 0 ? [HERE] : starts) use.path('removes', item, true);
}

export const FD: Program = {
  names: 'fd fdfind',
  options: `-H,--hidden -I,--no-ignore -u,--unrestricted -s,--case-sensitive -i,--ignore-case -g,--glob -F,--fixed-strings -a,--absolute-path
    -l,--list-details -p,--full-path -0,--print0 -d,--max-depth: --min-depth: --exact-depth: -E,--exclude: -t,--type: -e,--extension: -S,--size:
    --changed-within: --changed-before: -c,--color: -j,--threads: -1 --max-results: -q,--quiet --prune --no-ignore-vcs -L,--follow!
    -x,--exec! -X,--exec-batch! --search-path~ --base-directory! -C!`,
  judge(given, use) {
    const [, ...folders] = given.operands;
    for (const item of folders.length === 0 ? [HERE] : folders) use.path('lists', item, true);
    const option = given.options.find(({ option: { name } }) => name === '-x' || name === '-X');
    if (option !== undefined)
      for (const item of given.operands) if (item.at > option.at) use.beyond(item.at, option.at);
  },
};
