import type { Environment } from '../process/environment.ts';
import type { Fault } from './position.ts';

/** The fault to fix first with its position, and how many more there are. */
export function faultText(shown: string, faults: readonly Fault[]): string {
  // A misspelt member is often why another one is missing.
  const fault = faults.find(({ message }) => message.startsWith('is not a known member')) ?? faults[0];
  if (fault === undefined) return `${shown} cannot be used. Run gw diagnose.`;
  const member = fault.path === null ? '' : `${fault.path.join('.') || 'the file'} `;
  const more = faults.length === 1 ? '' : ` (${faults.length - 1} more; run gw diagnose)`;
  return `${shown}:${fault.line}:${fault.column}: ${member}${fault.message.replace(/\.$/, '')}. ${fault.fix}${more}`;
}

/** A path as people write it: `~` for the home directory. */
export function abbreviatePath({ homeDirectory }: Environment, path: string): string {
  return homeDirectory !== null && path.startsWith(`${homeDirectory}/`) ? `~${path.slice(homeDirectory.length)}` : path;
}
