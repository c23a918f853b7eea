import type { Writable } from 'node:stream';
import type { Command, Refusal } from '@gateway/contract';
import type { Revision } from '@gateway/database';
import type { OwnedSession } from '@gateway/database/gateway';
import type { Inspector } from '../inspection/inspectors.ts';
import type { StopCause } from './stop-cause.ts';

/** A command that may start: its decision is durable. */
export interface GrantedCommand {
  /** Of the decision; the caller knows the command by it. */
  readonly identifier: string;
  readonly subject: string;
  /** Whether the registry holds the subject's account; one of the directory may not be in it yet. */
  readonly registered: boolean;
  readonly command: Command;
  /** The organization's policy in force, and what looks for secrets by it. */
  readonly policy: Revision | null;
  readonly inspector: Inspector;
}

/** A slot to give back, or why there is none. */
export type TakenSlot = { readonly release: () => void } | { readonly refused: Refusal };

/** Runs the commands of agent sessions: in this process, or in the one that does it for several. */
export interface CommandRunner {
  /** A slot for one more command. */
  takeSlot(subject: string): TakenSlot | Promise<TakenSlot>;
  /** Writes down that the command starts. Rejects where that could not be written: then it must not run. */
  recordStart(granted: GrantedCommand): Promise<void>;
  /** Writes down which session another one says it descends from, though nothing of it may run. */
  recordDescent(owned: OwnedSession, parentSession: string): Promise<void>;
  /** Writes down that a command whose start is written down never ran. */
  recordNeverRan(granted: GrantedCommand, cause: StopCause | null): void;
  /** Runs a command whose start is written down. Its events go to `caller`; resolves after the last of them. */
  run(granted: GrantedCommand, caller: Writable): Promise<void>;
  /** Interrupts a subject's command, wherever it runs. @returns false where the subject has no such running command */
  interrupt(identifier: string, subject: string): Promise<boolean>;
  /** Ends every command of this process's callers and waits until they know, within a bound. */
  close(): Promise<void>;
}
