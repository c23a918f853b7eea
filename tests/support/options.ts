import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** Options of every test command: the seed of an earlier run, the file of the report, and the help. */
const COMMON = {
  seed: { type: 'string', default: String(Date.now() % 2 ** 32) },
  json: { type: 'string' },
  help: { type: 'boolean' },
} as const;

/**
 * Reads the options of `npm run <command>`. `--help` prints the help and ends the program; a wrong option ends it with code 2.
 * @param options besides the common ones
 */
export function readOptions<const Options extends ParseArgsOptionsConfig>(
  command: string,
  help: string,
  options: Options,
) {
  function usageError(message: string): never {
    process.stderr.write(`${message}\nRun npm run ${command} -- --help.\n`);
    process.exit(2);
  }

  function values() {
    const config = { allowNegative: true, options: { ...COMMON, ...options } };
    try {
      return parseArgs<typeof config>(config).values;
    } catch (error) {
      return usageError((error as Error).message);
    }
  }

  const given = values();
  if ('help' in given) {
    process.stdout.write(`${help}\n`);
    process.exit(0);
  }
  return {
    given,
    usageError,
    /** The value of an option that takes a number. */
    number: (name: string, text: string, least: number): number => {
      const value = Number(text);
      if (!(value >= least)) usageError(`--${name} must be a number of at least ${least}.`);
      return value;
    },
    integer: (name: string, text: string, least: number): number => {
      const value = Number(text);
      if (!(Number.isInteger(value) && value >= least))
        usageError(`--${name} must be an integer of at least ${least}.`);
      return value;
    },
  };
}
