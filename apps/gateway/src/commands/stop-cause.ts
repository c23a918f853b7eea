import type { CommandLimits } from '../config/command-limits.ts';

/** Why the gateway ended a command (closed list; stored with its end, where `lost` is added: the gateway itself ended). */
export type StopCause =
  | 'interrupted'
  | 'disconnected'
  | 'revoked'
  | 'unreadable'
  | 'duration'
  | 'output'
  | 'disk'
  | 'shutdown'
  | 'secret';

interface Stop {
  /** Whether the command may still clean up: SIGTERM, and SIGKILL five seconds later. Otherwise SIGKILL immediately. */
  readonly gentle: boolean;
  /** The text for its caller in an `erreur` event; null where the caller requested the end. */
  readonly message: ((limits: CommandLimits, kinds: readonly string[]) => string) | null;
}

const mebibytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`;

export const STOPS: Readonly<Record<StopCause, Stop>> = {
  interrupted: { gentle: true, message: null },
  disconnected: { gentle: true, message: null },
  // Within a second (commands-11), so there is no time to tidy up.
  revoked: { gentle: false, message: () => 'The session or the subject of this command was revoked.' },
  unreadable: { gentle: false, message: () => 'Whether this command may still run could not be read for too long.' },
  duration: {
    gentle: true,
    message: ({ duration }) => `The command met its limit of duration: ${duration / 1000} seconds.`,
  },
  // What floods keeps flooding while it tidies up.
  output: { gentle: false, message: ({ output }) => `The command met its limit of output: ${mebibytes(output)}.` },
  disk: {
    gentle: false,
    message: ({ disk, files, subjectDisk }) =>
      `The session's directory met its limit of ${mebibytes(disk)} or ${files} files, or all directories of your sessions together met theirs of ${mebibytes(subjectDisk)}. Remove what is not needed; what is idle for a day is deleted.`,
  },
  shutdown: { gentle: true, message: () => 'This gateway is being stopped.' },
  // Nothing it still writes is passed on, so it may tidy up like any interrupted command (commands-13).
  secret: {
    gentle: true,
    message: (_, kinds) =>
      `The output carries what looks like a secret (${kinds.join(', ')}), so the command was ended.`,
  },
};
