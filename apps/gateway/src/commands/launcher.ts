import type { Command } from '@gateway/contract';
import type { CommandOutput } from './processes/command-output.ts';

/** How a command's processes ended. */
export interface ProcessEnd {
  /** Exit code; null where a signal ended it or it never ran. */
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it never ran, or which limit of the launcher ended it: one sentence for its caller. */
  readonly fault: string | null;
}

/** A command whose processes run. */
export interface LaunchedCommand {
  readonly stdout: CommandOutput;
  readonly stderr: CommandOutput;
  /** Settles once no process of the command is left and both outputs are read to their end. Never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** Ids of its processes, as far as they can be read without blocking anything else. */
  processes(): Promise<readonly number[]>;
  /** SIGTERM to the whole descendance. */
  terminate(): void;
  /** SIGKILL to the whole descendance. */
  kill(): void;
}

/** Starts commands: in a sandbox, or as plain processes (commands-8). */
export interface Launcher {
  /** What an operator reads at start: how commands run, and what is not limited on this host. */
  readonly announcements: readonly string[];
  /**
   * Makes a session's directory usable by its commands.
   * @param slot number of its subject among those of this host, from 0 on: a sandbox gives each a user id of its own
   */
  prepareDirectory(directory: string, slot: number): Promise<void>;
  /**
   * @param identifier of the command, unique on this host. A failure to start is an end with a fault, not a rejection.
   * @param directory of the session, prepared
   * @param room bytes that a file of the command may have, within its disk limit
   */
  launch(identifier: string, command: Command, directory: string, room: number): Promise<LaunchedCommand>;
  /** Releases prepared resources. Called once no command runs; none can be launched afterwards. */
  close(): Promise<void>;
}
