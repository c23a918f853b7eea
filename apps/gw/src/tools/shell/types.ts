/** Files and folders that exist, absolute. */
export interface ExcludedPaths {
  readonly unreadable: readonly string[];
  readonly unwritable: readonly string[];
}

export interface CommandRequest {
  readonly command: string;
  readonly session: string;
  readonly parentSession?: string;
  /** Where the command runs. */
  readonly directory: string;
  /** The command must not be able to write. */
  readonly readOnly: boolean;
  /** What the rules exclude: absolute paths of files and folders that exist. A sandbox hides them or lets nothing write there. */
  readonly excluded?: ExcludedPaths;
  /** It keeps running when its call is over. */
  readonly background?: true;
}

export interface CommandEnd {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
  /** It could not be run at all, or something else than the command ended it: a sentence. */
  readonly fault?: string;
}

export interface RunningCommand {
  readonly ended: Promise<CommandEnd>;
  /** Ends it and everything it started. Resolves once it has exited. */
  stop(): Promise<void>;
}

/** The command was not started, in the words of the refusal. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
}

/** Where commands run: on this machine, or in the gateway's agent execution. */
export interface CommandRunner {
  /** Follows "ran on" and "runs on"; null for this machine, which is not mentioned. */
  readonly location: string | null;
  /** @throws CommandRefused */
  start(request: CommandRequest, output: (text: string, isError?: boolean) => void): Promise<RunningCommand>;
}
