import type { Writable } from 'node:stream';
import type { Command, Refusal } from '@gateway/contract';
import type { Revision } from '@gateway/database';
import type { OwnedSession } from '@gateway/database/gateway';
import type { Inspector } from '../inspection/inspectors.ts';
import type { StopCause } from './stop-cause.ts';

/** A command that may start: its decision is durable. */
export interface GrantedCommand {
  /** From the decision; the caller's name for the command. */
  readonly identifier: string;
  readonly subject: string;
  /** Whether the registry has the subject's account; one from the identity provider may not be in it yet. */
  readonly registered: boolean;
  readonly command: Command;
  /** The organization's policy in force, and what looks for secrets by it. */
  readonly policy: Revision | null;
  readonly inspector: Inspector;
}

/** A slot to release, or the cause why there is none. */
export type TakenSlot = { readonly release: () => void } | { readonly refused: Refusal };

/** Runs the commands of agent sessions: in this process, or in the one that does so for several. */
export interface CommandRunner {
  /** A slot for one more command. */
  takeSlot(subject: string): TakenSlot | Promise<TakenSlot>;
  /** Writes down that the command starts. Rejects where that could not be written: then it must not run. */
  recordStart(granted: GrantedCommand): Promise<void>;
  /** Records the session that another one names as its parent, even if no command of it may run. */
  recordDescent(owned: OwnedSession, parentSession: string): Promise<void>;
  /** Writes down that a command whose start is written down never ran. */
  recordNeverRan(granted: GrantedCommand, cause: StopCause | null): void;
  /** Runs a command whose start is recorded. Its events go to `caller`; resolves after the last of them. */
  run(granted: GrantedCommand, caller: Writable): Promise<void>;
  /** Interrupts a subject's command, on any gateway. @returns false where the subject has no such running command */
  interrupt(identifier: string, subject: string): Promise<boolean>;
  /** Ends every command of this process's callers and waits, within a bound, until the callers have the result. */
  close(): Promise<void>;
}
