/** The command was refused or failed: exit code 1 and one line, which says how to fix it. */
export class CommandFailed extends Error {
  override readonly name: string = 'CommandFailed';
}

/** Anybody who read the output has read enough (`gatewayctl journal export | head`): nothing is wrong, and nothing more is written. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}

/** What was compared differs: exit code 3, and nothing more is said. */
export class Different extends Error {
  override readonly name = 'Different';
}

/** The command was called wrongly: exit code 2. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}
