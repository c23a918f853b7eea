import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { errorCode } from '@gateway/contract/error-code';

function contentOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** The output of `ps` for a process; empty without such a process, or without `ps` (a slim container has only /proc). */
function readProcessColumn(column: string, pid: number): string {
  try {
    return execFileSync('ps', ['-ww', '-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}

/** The fields of /proc/PID/stat after the command, which may contain anything: state first. Null without /proc. */
function stat(pid: number): readonly string[] | null {
  const text = contentOf(`/proc/${pid}/stat`);
  return text === null ? null : text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** Whether a process runs. One that has ended, but is not reaped yet, does not. */
export function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) !== 'EPERM') return false;
  }
  return !['Z', 'X'].includes(stat(pid)?.[0] ?? '');
}

/** The command line of a process; empty without such a process. */
export function commandOf(pid: number): string {
  return contentOf(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ') ?? readProcessColumn('command', pid);
}
