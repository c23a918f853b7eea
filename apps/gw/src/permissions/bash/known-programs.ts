import { nameOf } from './started.ts';
import type { SimpleCommand } from './types.ts';

/** Programs that neither run their words nor evaluate them. */
const INERT = new Set(
  `: [ basename cat cd chgrp chmod chown cksum cmp comm cp cut date df diff dirname du echo egrep expr false fgrep file fold
  grep head hexdump hostname id join link ln locale ls md5sum mkdir mktemp mv nl od paste printf pwd read readlink
  realpath return rm rmdir seq sha1sum sha256sum sha512sum shuf sleep sort stat strings sum sync tac tail tee test touch tr
  tree true truncate tsort type tty uname unexpand uniq unlink wait wc which whoami yes`.split(/\s+/),
);

/** They give a program another name: `ln -s /usr/bin/touch t; ./t x`. */
export const COPIES = new Set(['cp', 'ln', 'mv', 'install', 'link']);
/** Subcommands of git that start a program that their words name. */
const GIT_STARTERS = new Set(
  'daemon for-each-repo hook imap-send instaweb merge-index mergetool remote-ext send-email shell web--browse'.split(
    ' ',
  ),
);

/** Whether the words behind the name are data and nothing else. */
export function doesNotRunItsWords(command: SimpleCommand): boolean {
  const [name] = command.words;
  if (name === undefined || name.dynamic || name.splits) return false;
  const program = nameOf(name);
  if (program !== 'git') return INERT.has(program);
  return !command.words.some(({ text }) => GIT_STARTERS.has(text));
}

/** Programs that only read, with any arguments. */
const READERS = new Set(
  `: [ basename cat cd cksum cmp comm cut df dirname du echo egrep expr false fgrep grep groups head hexdump id join
  locale ls md5sum nl nproc od paste printenv pwd readlink realpath seq sha1sum sha256sum sha512sum sleep stat strings sum tac tail
  test tr true type uname wc which whoami`.split(/\s+/),
);
/** Subcommands of git that only read, and the options with which they write or start programs. */
const GIT_READERS = new Set(
  'blame cat-file describe diff grep log ls-files ls-tree merge-base rev-list rev-parse shortlog show status'.split(
    ' ',
  ),
);
const GIT_WRITES = /^(?:--(?:output|ext-diff|textconv|open-files-in-pager|exec-path).*|-O.*|-o.*)$/;

/**
 * Whether a command is known to change nothing: a short list of programs and options. Anything else counts as
 * changing something. Used where plan mode has no sandbox.
 */
export function isReadOnly(command: SimpleCommand): boolean {
  const { words, assignments, redirections } = command;
  if (assignments.length > 0 || redirections.some(({ effect }) => effect === 'write')) return false;
  if (words.length === 0) return true;
  const [name, ...rest] = words;
  // A path could be a program of the project with the same name.
  if (name === undefined || name.dynamic || name.splits || name.text.includes('/')) return false;
  const texts = rest.map(({ text }) => text);
  if (name.text === 'find')
    return rest.every(({ dynamic }) => !dynamic) && !texts.some((text) => /^-(?:exec|ok|delete|fprint|fls)/.test(text));
  if (name.text === 'git') {
    const [subcommand = ''] = texts;
    return (
      rest.every(({ dynamic }) => !dynamic) &&
      GIT_READERS.has(subcommand) &&
      !texts.some((text) => GIT_WRITES.test(text))
    );
  }
  return READERS.has(name.text);
}
