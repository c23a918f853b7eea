import { CHANGING, TAR } from './changing.ts';
import { GIT } from './git-changing.ts';
import { ARGUMENTS, ENVIRONMENT, FD, FIND, INTERPRETERS, WRAPPERS, type Wrapper } from './interpreters.ts';
import { NETWORK, PACKAGES } from './network.ts';
import { describeUse, nameOf, type Program, type Use, type Word } from './program.ts';
import { AWK, READING, SED } from './reading.ts';

const ALL: readonly Program[] = [
  ...READING,
  ...CHANGING,
  ...INTERPRETERS,
  ...NETWORK,
  ...PACKAGES,
  ...WRAPPERS,
  AWK,
  ARGUMENTS,
  ENVIRONMENT,
  FD,
  FIND,
  GIT,
  SED,
  TAR,
];

const byName = (programs: readonly Program[]): ReadonlyMap<string, Program> =>
  new Map(programs.flatMap((one) => (one.names ?? '').split(/\s+/).map((name) => [name, one] as const)));
const table = byName(ALL);
const wrappers = new Map(WRAPPERS.flatMap((one) => (one.names ?? '').split(' ').map((name) => [name, one] as const)));

/** `python3.12` is python3. */
export function findProgramIn(name: string): Program | undefined {
  return table.get(name) ?? table.get(name.replace(/[\d.]+$/, ''));
}

export function findWrapper(name: string): Wrapper | undefined {
  return wrappers.get(name);
}

export function useOf(words: readonly Word[]): Use {
  return describeUse(words, findProgramIn);
}

/** Of no words. */
export const NO_USE: Use = { known: false, acts: false, beyond: new Map(), paths: [], lines: [], destroys: null };

/** Subcommands of git that start a program that their words name. */
const GIT_STARTERS = new Set(
  'daemon for-each-repo hook imap-send instaweb merge-index mergetool remote-ext send-email shell web--browse'.split(
    ' ',
  ),
);

/** Whether the words behind the name are data and nothing else. */
export function doesNotRunItsWords([name, ...words]: readonly Word[]): boolean {
  if (name === undefined || name.dynamic || name.splits) return false;
  const program = nameOf(name);
  return program === 'git' ? !words.some(({ text }) => GIT_STARTERS.has(text)) : table.get(program)?.inert === true;
}

/** Whether it gives a program another name: `ln -s /usr/bin/touch t; ./t x`. */
export function copiesPrograms(program: string): boolean {
  return table.get(program)?.copies === true;
}
