import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { askGit } from './ask-git.ts';
import type { Environment } from './environment.ts';

/** Settings under which git starts a program while it only reads. */
const STARTS = String.raw`^(core\.fsmonitor|core\.hookspath|diff\.external|(diff|filter|merge)\..*\.(command|textconv|clean|process|driver)|gpg\.(.*\.)?program)$`;
/** Where a partial clone fetches what it lacks, and by which program. */
const FETCHES = String.raw`^(remote\..*\.(promisor|uploadpack|vcs)|core\.(sshcommand|gitproxy)|protocol\..*|credential\..*helper)$`;
const BOOLEAN = /^(?:true|false|yes|no|on|off|0|1|)$/i;
/** As `git lfs install --local` writes them. */
const LFS = /^git-lfs (?:clean -- %f|filter-process(?: --skip)?)$/;

/** How `git ls-files --stage` begins the line of a submodule: its mode. */
const SUBMODULE = '160000 ';
/** More submodules than these are not looked into. */
const MOST_SUBMODULES = 20;
const LISTING_BYTES = 64 * 1024 * 1024;

/**
 * Why a command of git that only reads would start a program that the repository of a folder names: in its own settings, in its
 * hooks, or in those of a submodule, into which git looks too. Null where it would not. A clone has no such settings; an unpacked
 * archive may.
 */
export async function programOfRepository(
  git: string,
  folder: string,
  environment: Environment,
): Promise<string | null> {
  const ask = (args: readonly string[], maxBytes?: number) =>
    askGit(git, args, environment, { directory: folder, ...(maxBytes === undefined ? {} : { maxBytes }) });
  const [settings, paths, index] = await Promise.all([
    ask(['config', '-z', '--show-scope', '--get-regexp', `${STARTS}|${FETCHES}`]),
    ask(['rev-parse', '--git-common-dir', '--show-toplevel']),
    ask(['ls-files', '-z', '--stage', '--full-name', '--', ':/'], LISTING_BYTES),
  ]);
  if (settings.cut || (settings.code !== 0 && settings.code !== 1)) return 'The settings of git cannot be read.';
  const own = [...settings.output.matchAll(/([^\0]*)\0([^\0\n]*)(?:\n([^\0]*))?\0/g)].flatMap(
    ([, scope, name = '', value = 'true']) => (/^(?:local|worktree)$/.test(scope ?? '') ? [{ name, value }] : []),
  );
  const starts = startingSetting(own);
  if (starts !== undefined) return `The setting ${starts} of this repository starts a program.`;
  const [common, top] = paths.output.split('\n').filter((path) => path !== '');
  if (common === undefined) return null; // no repository
  const hooks = own.findLast(({ name }) => name === 'core.hookspath')?.value;
  const hook = join(
    hooks === undefined ? resolve(folder, common, 'hooks') : resolve(top ?? folder, hooks),
    'post-index-change',
  );
  if (existsSync(hook)) return 'The hook post-index-change of this repository is a program.';
  if (top === undefined) return null;
  if (index.cut) return 'The repository has too many files to look for submodules.';
  const submodules = index.output
    .split('\0')
    .filter((entry) => entry.startsWith(SUBMODULE))
    .map((entry) => join(top, entry.slice(entry.indexOf('\t') + 1)))
    .filter((path) => existsSync(join(path, '.git')));
  if (submodules.length > MOST_SUBMODULES)
    return `The repository has more than ${MOST_SUBMODULES} submodules, whose settings are not looked into.`;
  for (const path of submodules) {
    const why = await programOfRepository(git, path, environment);
    if (why !== null) return `In the submodule ${relative(top, path)}: ${why}`;
  }
  return null;
}

function startingSetting(own: readonly { readonly name: string; readonly value: string }[]): string | undefined {
  const isFetching = own.some(({ name }) => name.endsWith('.promisor'));
  return own.find(({ name, value }) => {
    if (name === 'core.hookspath' || name.endsWith('.promisor')) return false;
    if (name === 'core.fsmonitor') return !BOOLEAN.test(value);
    return new RegExp(STARTS, 's').test(name) ? value !== '' && !LFS.test(value) : isFetching;
  })?.name;
}
