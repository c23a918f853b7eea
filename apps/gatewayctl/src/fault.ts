/** The command was refused or failed: exit code 1 and one line, which says what mends it. */
export class CommandFailed extends Error {
  override readonly name: string = 'CommandFailed';
}

/** The command was called wrongly: exit code 2. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}
