/** The command was refused or failed: exit code 1 and one line, which says how to fix it. */
export class CommandFailed extends Error {
  override readonly name: string = 'CommandFailed';
}

/**
 * The reader of the output has read enough (`gatewayctl journal export | head`): this is no error, and nothing more is written.
 */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}

/** The compared states differ: exit code 3, without a further message. */
export class Different extends Error {
  override readonly name = 'Different';
}

/** The command was called wrongly: exit code 2. */
export class WrongUsage extends Error {
  override readonly name: string = 'WrongUsage';
}

/** The words do not fit the command: its usage is printed too. */
export class WrongWords extends WrongUsage {
  override readonly name = 'WrongWords';
}
