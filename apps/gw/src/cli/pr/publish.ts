import { errorMessage } from '@gateway/contract/error-code';
import type { Environment } from '../../process/environment.ts';
import { findProgram } from '../../programs/on-path.ts';
import type { Git } from './git.ts';
import { runProgram } from './git.ts';
import type { RequestText } from './message.ts';

export interface Publication {
  readonly branch: string;
  readonly base: string;
  readonly text: RequestText;
}

/** Pushes the branch to origin, never with force. @returns the address of the remote; null where there is none. */
export async function push(git: Git, branch: string): Promise<string | null> {
  const remote = (await git.try('remote', 'get-url', 'origin'))?.trim() ?? null;
  if (remote !== null) await git('push', '--set-upstream', 'origin', `refs/heads/${branch}:refs/heads/${branch}`);
  return remote;
}

/** Opens the request with gh or glab. @returns what the program printed; null where neither is installed or can do it. */
export async function openRequest(
  { branch, base, text }: Publication,
  remote: string,
  directory: string,
  environment: Environment,
  variables: Readonly<Record<string, string>>,
): Promise<{ readonly opened: string | null; readonly fault: string | null }> {
  const gitlab = /gitlab/i.test(remote);
  const name = gitlab ? 'glab' : 'gh';
  const program = await findProgram(name, environment);
  if (program === null) return { opened: null, fault: null };
  const { subject, description } = text;
  const args = gitlab
    ? [
        'mr',
        'create',
        '--source-branch',
        branch,
        '--target-branch',
        base,
        '--title',
        subject,
        '--description',
        description,
        '--yes',
      ]
    : ['pr', 'create', '--head', branch, '--base', base, '--title', subject, '--body', description];
  try {
    return { opened: (await runProgram(program, args, directory, variables)).trim(), fault: null };
  } catch (error) {
    return { opened: null, fault: errorMessage(error) };
  }
}

/** What a person does where no program opens the request. */
export function nextSteps({ branch, base, text }: Publication, remote: string | null): string {
  const steps =
    remote === null
      ? [`Add a remote: git remote add origin <address>`, `Push the branch: git push --set-upstream origin ${branch}`]
      : [`The branch ${branch} is on ${withoutCredentials(remote)}.`];
  const last = `Open a request from ${branch} to ${base} with this title and description:`;
  return [...steps, last, '', text.subject, '', text.description, ''].join('\n');
}

/** A remote's address without a user name and password. */
function withoutCredentials(remote: string): string {
  return remote.replace(/^([a-z+]+:\/\/)[^/@]*@/i, '$1');
}
