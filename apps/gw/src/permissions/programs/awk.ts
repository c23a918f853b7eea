import { has, type Program } from './program.ts';
import { MACHINE } from './reading.ts';
import { literalOf } from './word.ts';

/** What awk can do besides printing: start programs, read files that its program names, write files. */
const ACTS = /\bsystem\b|\bgetline\b|\bARG[VC]\b|@|\bprintf?\b[\s\S]*(?:>|(?<!\|)\|(?!\|))|\\\n/;

export const AWK: Program = {
  names: 'awk gawk mawk nawk',
  options: `-F,--field-separator: -v,--assign: -b,--characters-as-bytes -C -c,--traditional -h -M,--bignum -n,--non-decimal-data -N
    -O,--optimize -P,--posix -r,--re-interval -s -S,--sandbox -t,--lint-old -V,--version -f,--file!< -E,--exec!< -i,--include!: -l,--load!:
    -e,--source!: -o,--pretty-print!>? -p,--profile!>? -d,--dump-variables!>? -D,--debug!?`,
  stops: true,
  judge(given, use, words) {
    const items = words.slice(given.end).map((word, index) => ({ word, at: given.end + index }));
    const programs = has(given, '-f', '-E', '-e') ? [] : items.slice(0, 1);
    for (const item of programs) {
      const text = literalOf(item);
      if (/\bENVIRON\b|PROCINFO/.test(text ?? '')) use.path('lists', MACHINE);
      if (text !== null && !ACTS.test(text)) continue;
      use.acts = true;
      use.beyond(item.at);
      for (const [, path = ''] of (text ?? '').matchAll(/>{1,2}\s*"([^"]+)"/g))
        use.path('writes', { at: item.at, word: { text: path, dynamic: false, splits: false } });
    }
    for (const item of items.slice(programs.length)) {
      const text = literalOf(item);
      if (text === null || !/^[A-Za-z_]\w*=/.test(text)) use.path('reads', item);
    }
  },
};
