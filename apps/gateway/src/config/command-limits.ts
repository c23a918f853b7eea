const MEBIBYTE = 2 ** 20;

/** What one command may take (commands-8). The launcher enforces the first group, the run the second. */
export interface CommandLimits {
  /** Bytes of memory of all its processes together, its temporary files included. */
  readonly memory: number;
  /** Maximum number of processes and threads. */
  readonly processes: number;
  /** Processors' worth of time. */
  readonly processors: number;
  /** Open descriptors of one process. */
  readonly descriptors: number;
  /** Bytes of `/tmp`, and of `/dev/shm`. */
  readonly temporary: number;
  /** Bytes in the session's directory, all its commands together. */
  readonly disk: number;
  /** Bytes in all directories of a subject's sessions together. */
  readonly subjectDisk: number;
  /** Files and directories in the session's directory. */
  readonly files: number;

  /** Milliseconds from start to end. */
  readonly duration: number;
  /** Bytes of both outputs together. */
  readonly output: number;
}

/** Those that no variable sets. */
export const FIXED_LIMITS = { descriptors: 1024, temporary: 256 * MEBIBYTE, files: 500_000 };
