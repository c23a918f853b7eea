import {
  type Given,
  has,
  type Item,
  inFolder,
  literal,
  literalOf,
  type Program,
  partOf,
  type UseBuilder,
  valuesOf,
} from './program.ts';

const FOLDER = '-t,--target-directory>';
const COPYING = `-a,--archive -b --backup? -d -f,--force -i,--interactive -n,--no-clobber -P,--no-dereference -p --preserve? --no-preserve:
  -R,-r,--recursive -s,--symbolic-link -l,--link --strip-trailing-slashes -S,--suffix: -T,--no-target-directory -u,--update? -v,--verbose
  -x,--one-file-system --reflink? --sparse: --parents --remove-destination -c --attributes-only --copy-contents! -L,--dereference! -H!
  --context? -Z --debug --exchange ${FOLDER}`;

/** Programs whose purpose is to change files: `cp *` copies inside the project. */
export const CHANGING: readonly Program[] = [
  {
    names: 'declare typeset local readonly',
    acts: true,
    inert: true,
    raw: true,
    judge(_, use, words) {
      for (const [at, { text, dynamic }] of words.entries()) {
        // With -i and -n Bash evaluates the values.
        const isKnown = dynamic ? /^\w+=/.test(text) : /^(?:[-+][aAfFglprtux]+|[^-+].*)$/s.test(text);
        if (at > 0 && !isKnown) use.beyond(at);
      }
    },
  },
  {
    names: 'cp gcp',
    options: COPYING,
    acts: true,
    inert: true,
    copies: true,
    judge: (given, use) => copy(given, use, 'reads'),
  },
  {
    names: 'mv gmv',
    options: COPYING,
    acts: true,
    inert: true,
    copies: true,
    judge(given, use) {
      copy(given, use, 'reads');
      const sources = has(given, '-t') ? given.operands : given.operands.slice(0, -1);
      for (const item of sources) use.path('writes', item, true);
    },
  },
  {
    names: 'ln link gln',
    options: `-s,--symbolic -f,--force -n,--no-dereference -r,--relative -v,--verbose -T,--no-target-directory -b --backup? -S,--suffix: -i
      -L,--logical -P,--physical -h -F! ${FOLDER}`,
    acts: true,
    inert: true,
    copies: true,
    judge: (given, use) => copy(given, use, 'reads'),
  },
  {
    names: 'install ginstall',
    options: `-b --backup? -C,--compare -c -D -m,--mode: -p,--preserve-timestamps -S,--suffix: -T,--no-target-directory -v,--verbose -d,--directory
      -g,--group: -o,--owner: -s,--strip! --strip-program$ ${FOLDER}`,
    acts: true,
    copies: true,
    judge(given, use) {
      if (has(given, '-d')) for (const item of given.operands) use.path('writes', item);
      else copy(given, use, 'reads');
    },
  },
  {
    names: 'tee',
    options: '-a,--append -i,--ignore-interrupts -p --output-error?',
    operands: 'writes',
    acts: true,
    inert: true,
  },
  {
    names: 'mkdir',
    options: '-p,--parents -v,--verbose -m,--mode: -Z --context?',
    operands: 'writes',
    acts: true,
    inert: true,
  },
  {
    names: 'touch',
    options: '-a -m -c,--no-create -f -h,--no-dereference -d,--date: -t: --time: -r,--reference~',
    operands: 'writes',
    acts: true,
    inert: true,
  },
  {
    names: 'mktemp',
    options: '-d,--directory -u,--dry-run -q,--quiet -p,--tmpdir>? -t --suffix:',
    operands: 'writes',
    acts: true,
    inert: true,
  },
  {
    names: 'truncate fallocate',
    options: '-s,--size: -c,--no-create -o,--io-blocks -r,--reference~ -l,--length:',
    operands: 'writes',
    acts: true,
    inert: true,
  },
  {
    names: 'chmod chown chgrp setfacl chattr',
    options:
      '-v,--verbose -c,--changes -f,--silent,--quiet -R,--recursive -h,--no-dereference --reference~ --preserve-root',
    acts: true,
    harmless: true,
    inert: true,
    judge(given, use) {
      for (const item of given.operands.slice(has(given, '--reference') ? 0 : 1))
        use.path('writes', item, has(given, '-R'));
    },
  },
  {
    names: 'rm grm rmdir unlink trash trash-put srm rimraf',
    options: `-f,--force -i -I --interactive? -v,--verbose -d,--dir -r,-R,--recursive -p,--parents --preserve-root? --no-preserve-root!
      --one-file-system --ignore-fail-on-non-empty -P -x -W`,
    acts: true,
    inert: true,
    judge(given, use, [name]) {
      const program = name?.text.split('/').at(-1);
      for (const item of given.operands) use.path('removes', item, has(given, '-r'));
      const folders = has(given, '-r') || program === 'rimraf' || program?.startsWith('trash') === true;
      if (folders && given.operands.length > 0) use.destroys = 'It removes folders with everything in them';
      else if (given.operands.some(({ word }) => word.splits)) use.destroys = 'It removes files that it does not name';
      for (const at of given.unknown)
        if (given.operands.every((item) => item.at !== at)) use.destroys ??= 'It may remove folders';
    },
  },
  {
    names: 'shred wipe',
    options: '-f,--force -n,--iterations: -s,--size: -u,--remove? -v,--verbose -x,--exact -z,--zero -r!',
    operands: 'removes',
    acts: true,
    inert: true,
    judge(given, use) {
      if (given.operands.some(({ word }) => word.splits) || has(given, '-r'))
        use.destroys = 'It removes files that it does not name';
    },
  },
  {
    names: 'dd',
    acts: true,
    inert: true,
    judge({ operands }, use) {
      for (const item of operands) {
        const text = literalOf(item);
        const value = { ...item, word: partOf(item.word, (all) => all.slice(all.indexOf('=') + 1)) };
        if (text === null) use.beyond(item.at);
        else if (text.startsWith('if=')) use.path('reads', value);
        else if (text.startsWith('of=')) use.path('writes', value);
      }
    },
  },
  {
    names: 'split csplit',
    options: `-a,--suffix-length: -b,--bytes: -C,--line-bytes: -d,--numeric-suffixes? -x,--hex-suffixes? -e,--elide-empty-files -l,--lines:
      -n,--number: -t,--separator: -u,--unbuffered --verbose --additional-suffix: -f,--prefix!> -k,--keep-files -s,--quiet,--silent -z
      --suppress-matched --filter$`,
    acts: true,
    inert: true,
    judge({ operands }, use, [name]) {
      const [first, ...more] = operands;
      if (first !== undefined) use.path('reads', first);
      if (name?.text.endsWith('csplit') !== true) for (const item of more) use.path('writes', item);
    },
  },
  {
    names: 'gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd compress uncompress',
    options: `-c,--stdout,--to-stdout -d,--decompress,--uncompress -f,--force -k,--keep -l,--list -n,--no-name -N,--name -q,--quiet -t,--test -v,--verbose
      -1 -2 -3 -4 -5 -6 -7 -8 -9 --fast --best -h,--help -V,--version -r,--recursive! -o!>`,
    acts: true,
    inert: true,
    judge(given, use) {
      for (const item of given.operands) {
        use.path('reads', item);
        if (!has(given, '-c', '-l', '-t')) use.path('writes', item);
      }
    },
  },
  {
    names: 'unzip bsdunzip',
    options: '-l -v -t -Z -p -z -q -qq -o -n -j -a -C -L -x: -d!> -P:',
    acts: true,
    inert: true,
    judge(given, use) {
      for (const item of given.operands.slice(0, 1)) use.path('reads', item);
      if (!has(given, '-l', '-v', '-t', '-Z', '-p', '-z'))
        for (const item of has(given, '-d') ? valuesOf(given, '-d') : [HERE]) use.path('writes', item, true);
    },
  },
  {
    names: 'zip',
    options: '-r -q -v -9 -0 -j -x: -i: -m! -T! -TT$ --unzip-command$ -u -f -d -e -y -@! -b!> -O!>',
    acts: true,
    judge(given, use) {
      const [archive, ...files] = given.operands;
      if (archive !== undefined) use.path('writes', archive);
      for (const item of files) {
        use.path('reads', item, true);
        if (has(given, '-m')) use.path('removes', item, true);
      }
      if (has(given, '-m')) use.destroys = 'It removes the files that it packs';
    },
  },
  {
    names: 'rsync',
    options: `-a,--archive -v,--verbose -q,--quiet -c,--checksum -r,--recursive -R,--relative -u,--update -l,--links -p,--perms -E,--executability
      -X,--xattrs -A,--acls -o,--owner -g,--group -t,--times -n,--dry-run -W,--whole-file -x,--one-file-system -z,--compress -h,--human-readable
      -P,--progress --partial --stats -i,--itemize-changes -S,--sparse -H,--hard-links -C,--cvs-exclude --exclude: --include: --exclude-from<
      --include-from< --bwlimit: --max-size: --min-size: --size-only --ignore-existing --existing --timeout: -m,--prune-empty-dirs -b,--backup
      --suffix: --no-perms --no-owner --no-group -L,--copy-links! -e,--rsh$ --rsync-path$ -M,--remote-option!: --files-from!< --log-file!>
      --backup-dir!> --partial-dir!> --temp-dir,-T!> --compare-dest!< --copy-dest!< --link-dest!< --write-batch!> --read-batch!< -f,--filter!:
      --password-file!< --delete! --del! --delete-before! --delete-during! --delete-delay! --delete-after! --delete-excluded!
      --delete-missing-args! --remove-source-files! --remove-sent-files! --force! --inplace --append --daemon! --config!<`,
    acts: true,
    judge(given, use) {
      const removes = given.options.some(({ option: { name } }) => /^--(?:del|remove-|force)/.test(name));
      if (removes && !has(given, '-n')) use.destroys = 'It removes files that it does not name';
      copy(given, use, 'reads', true);
      for (const item of given.operands) if (/^[^/]*:|^[a-z]+:\/\//.test(literalOf(item) ?? '')) use.beyond(item.at);
    },
  },
  {
    names: 'scp',
    options: '-r -p -q -v -C -B -P: -3 -4 -6 -l: -i< -c: -o!: -S$ -F!< -J!: -D$',
    acts: true,
    judge(given, use) {
      copy(given, use, 'reads', true);
      for (const item of given.operands) if (/^[^/]*:|^[a-z]+:\/\//.test(literalOf(item) ?? '')) use.beyond(item.at);
    },
  },
  {
    names: 'patch',
    options:
      '-p,--strip: -s,--quiet -N,--forward -R,--reverse --dry-run -i,--input< -d,--directory!> -o,--output!> -r,--reject-file!> --verbose',
    acts: true,
    operands: 'writes',
  },
];

const HERE: Item = { word: literal('.'), at: 0 };

/** Sources, and where they go: the last operand or the folder of `-t`, and in a folder the names of the sources. */
function copy(given: Given, use: UseBuilder, role: 'reads', deep = false): void {
  const named = valuesOf(given, '-t');
  const target = named[0] ?? (given.operands.length > 1 ? given.operands.at(-1) : undefined);
  const sources = named.length > 0 || target === undefined ? given.operands : given.operands.slice(0, -1);
  const isDeep = deep || has(given, '-a', '-R', '-r');
  for (const item of sources) use.path(role, item, isDeep);
  if (target === undefined) {
    // `ln -s ../x`: its name appears here.
    for (const item of sources) use.path('writes', inFolder(HERE, item));
    return;
  }
  use.path('writes', target, isDeep);
  for (const item of sources) use.path('writes', inFolder(target, item), isDeep);
}

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
