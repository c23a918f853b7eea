/**
 * The options of a benchmark. `--help` prints the usage and ends the program with 0; an option that is unknown or wrong prints
 * what is wrong and the usage, and ends it with 2.
 * @param read reads the options from the arguments; throws where one is unknown or wrong
 */
export function readArguments<Options>(usage: string, read: (args: readonly string[]) => Options): Options {
  const args = process.argv.slice(2);
  if (args.includes('--help')) {
    process.stdout.write(`${usage}\n`);
    return process.exit(0);
  }
  try {
    return read(args);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}\n`);
    return process.exit(2);
  }
}
