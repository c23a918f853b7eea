import type { Command, Refusal } from '@gateway/contract';
import type { OwnedSession } from '@gateway/database/gateway';
import type { GrantedCommand } from '../../commands/runner.ts';
import type { StopCause } from '../../commands/stop-cause.ts';

/** A worker's requests to the process that runs commands: one connection each; closing it ends the request. */
export type CommandRequest =
  | { readonly ask: 'slot'; readonly subject: string }
  | { readonly ask: 'descent'; readonly owned: OwnedSession; readonly parentSession: string }
  | { readonly ask: 'interrupt'; readonly identifier: string; readonly subject: string }
  | { readonly ask: 'start'; readonly granted: GrantedMessage };

/** What is granted, as JSON carries it. The inspector is made again where the command runs. */
export interface GrantedMessage extends Omit<GrantedCommand, 'inspector' | 'command'> {
  readonly command: Omit<Command, 'variables'>;
  readonly variables: readonly (readonly [string, string])[];
}

/** What JSON can carry of a command that is granted. */
export function messageOf(granted: GrantedCommand): GrantedMessage {
  const { identifier, subject, registered, policy } = granted;
  const { variables, ...command } = granted.command;
  return { identifier, subject, registered, policy, command, variables: [...variables] };
}

/** The one line of an answer. After that of a start, the connection takes one order, and carries the events of the command. */
export type CommandReply =
  | { readonly failed: string }
  | { readonly refused: Refusal }
  | { readonly found: boolean }
  | { readonly done: true };

/** What becomes of a command whose start is written down. */
export type CommandOrder =
  | { readonly order: 'run' | 'shutdown' }
  | { readonly order: 'never'; readonly cause: StopCause | null };
