import { has, type Program, valuesOf } from './program.ts';
import { type Item, literal, literalOf } from './word.ts';

const HERE: Item = { word: literal('.'), at: 0 };

/** Listing an archive reads; making, changing and extracting one are named in a rule: `tar -xf *`. */
export const TAR: Program = {
  names: 'tar gtar bsdtar',
  options: `-t,--list -c,--create! -x,--extract,--get! -r,--append! -u,--update! -A,--catenate,--concatenate! --delete! -d,--diff,--compare
    -f,--file: -v,--verbose -z,--gzip,--gunzip,--ungzip -j,--bzip2 -J,--xz --zstd --lzma --lzip -a,--auto-compress -p,--preserve-permissions,--same-permissions
    -k,--keep-old-files -m,--touch -O,--to-stdout -C,--directory~ --exclude: --include: --strip-components: --wildcards --no-wildcards
    --anchored --numeric-owner --owner: --group: --mode: --mtime: --sort: --format: --totals -w,--interactive -h,--dereference!
    -P,--absolute-names! -T,--files-from!< -X,--exclude-from< --exclude-vcs --exclude-vcs-ignores --transform,--xform!: -s!: --no-same-owner -o
    --no-recursion --one-file-system --full-time --utc -b,--blocking-factor: -R,--block-number -i,--ignore-zeros --force-local
    -g,--listed-incremental!> --index-file!> --remove-files! --checkpoint? --checkpoint-action!: --to-command$ -I,--use-compress-program$
    -F,--info-script,--new-volume-script$ --rsh-command$ --rmt-command$ --unlink-first,-U! --recursive-unlink! --overwrite -K,--starting-file:`,
  judge(given, use, words) {
    const [, first] = words;
    const operands = [...given.operands];
    let mode =
      ['-c', '-x', '-r', '-u', '-A', '--delete'].find((one) => has(given, one)) ?? (has(given, '-d') ? '-d' : '-t');
    let archives = valuesOf(given, '-f');
    const old = operands[0]?.at === 1 && first !== undefined ? literalOf({ word: first }) : null;
    if (old !== null) {
      // `tar xzf a.tgz`: letters without a dash, whose values follow in their order.
      operands.shift();
      for (const letter of old) {
        if (/[fbCTXgFIHKLNV]/.test(letter)) {
          const value = operands.shift();
          if (letter === 'f' && value !== undefined) archives = [...archives, value];
          else if (value !== undefined) use.beyond(value.at, 1);
        }
        if (/[cxruA]/.test(letter)) mode = `-${letter}`;
        if (!/[tvzjJfapkmOd]/.test(letter)) use.beyond(1);
      }
      if (mode !== '-t' && mode !== '-d') use.beyond(1);
    }
    const extracts = mode === '-x';
    const writes = mode !== '-t' && mode !== '-d' && !extracts;
    if (mode !== '-t' && mode !== '-d') use.acts = true;
    for (const item of archives) {
      use.path(writes ? 'writes' : 'reads', item);
      if (/^[^/]*:/.test(literalOf(item) ?? '') && !has(given, '--force-local')) use.beyond(item.at);
    }
    if (extracts && !has(given, '-O')) {
      const folders = valuesOf(given, '-C');
      for (const item of folders.length > 0 ? folders : [HERE]) use.path('writes', item, true);
    }
    if (writes || mode === '-d') for (const item of operands) use.path('reads', item, true);
    for (const item of valuesOf(given, '--checkpoint-action')) {
      const line = /^exec=([\s\S]*)$/.exec(literalOf(item) ?? '')?.[1];
      if (line !== undefined) use.lines.push(literal(line));
    }
    if (has(given, '--remove-files', '--recursive-unlink')) use.destroys = 'It removes files that it does not name';
  },
};
