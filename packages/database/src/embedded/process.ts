import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

function contentOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** What `ps` says of a process; empty where there is no such process, or no `ps` (a slim container has none, but has /proc). */
function asked(column: string, pid: number): string {
  try {
    return execFileSync('ps', ['-ww', '-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}

/** The fields of /proc/PID/stat after the command, which may hold anything: state first. Null where there is no /proc. */
function stat(pid: number): readonly string[] | null {
  const text = contentOf(`/proc/${pid}/stat`);
  return text === null ? null : text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** Whether a process runs. One that has ended, and that its parent has not heard of yet, does not. */
export function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return !['Z', 'X'].includes(stat(pid)?.[0] ?? '');
}

/** The words a process was started with; empty where there is no such process. */
export function commandOf(pid: number): string {
  return contentOf(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ') ?? asked('command', pid);
}

/** When a process began: of all processes that ever had this number, the one that has it now. Empty where that cannot be known. */
export function identityOf(pid: number): string {
  const began = stat(pid)?.[19];
  if (began === undefined) return asked('lstart', pid);
  return `${contentOf('/proc/sys/kernel/random/boot_id')?.trim() ?? ''}:${began}`;
}
