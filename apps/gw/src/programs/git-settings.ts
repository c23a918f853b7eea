import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Environment } from '../process/environment.ts';
import { askGit } from './ask-git.ts';

/** Settings under which git starts a program while it only reads. */
const STARTS = String.raw`^(core\.fsmonitor|core\.hookspath|diff\.external|(diff|filter|merge)\..*\.(command|textconv|clean|process|driver)|gpg\.(.*\.)?program)$`;
/** Where a partial clone fetches what it lacks, and by which program. */
const FETCHES = String.raw`^(remote\..*\.(promisor|uploadpack|vcs)|core\.(sshcommand|gitproxy)|protocol\..*|credential\..*helper)$`;
const BOOLEAN = /^(?:true|false|yes|no|on|off|0|1|)$/i;
/** As `git lfs install --local` writes them. */
const LFS = /^git-lfs (?:clean -- %f|filter-process(?: --skip)?)$/;

/**
 * Why a command of git that only reads would start a program that the repository of a folder names: in its own settings or in
 * its hooks. Null where it would not. A clone has no such settings; an unpacked archive may.
 */
export async function programOfRepository(
  git: string,
  folder: string,
  environment: Environment,
): Promise<string | null> {
  const [settings, paths] = await Promise.all([
    askGit(git, ['config', '-z', '--show-scope', '--get-regexp', `${STARTS}|${FETCHES}`], environment, {
      directory: folder,
    }),
    askGit(git, ['rev-parse', '--git-common-dir', '--show-toplevel'], environment, {
      directory: folder,
    }),
  ]);
  if (settings.cut || (settings.code !== 0 && settings.code !== 1)) return 'The settings of git cannot be read.';
  const own = [...settings.output.matchAll(/([^\0]*)\0([^\0\n]*)(?:\n([^\0]*))?\0/g)].flatMap(
    ([, scope, name = '', value = 'true']) => (/^(?:local|worktree)$/.test(scope ?? '') ? [{ name, value }] : []),
  );
  const isFetching = own.some(({ name }) => name.endsWith('.promisor'));
  const starts = own.find(({ name, value }) =>
    name === 'core.hookspath' || name.endsWith('.promisor')
      ? false
      : name === 'core.fsmonitor'
        ? !BOOLEAN.test(value)
        : new RegExp(STARTS, 's').test(name)
          ? value !== '' && !LFS.test(value)
          : isFetching,
  );
  if (starts !== undefined) return `The setting ${starts.name} of this repository starts a program.`;
  const [common, top] = paths.output.split('\n').filter((path) => path !== '');
  if (common === undefined) return null; // no repository
  const hooks = own.findLast(({ name }) => name === 'core.hookspath')?.value;
  const hook = join(
    hooks === undefined ? resolve(folder, common, 'hooks') : resolve(top ?? folder, hooks),
    'post-index-change',
  );
  return existsSync(hook) ? 'The hook post-index-change of this repository is a program.' : null;
}
