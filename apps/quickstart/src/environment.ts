/** The one place that reads the environment of `npm start`. */
export interface Environment {
  /** The folder `npm start` was called from; npm itself changes to the checkout. */
  readonly callerFolder: string;
  /** What every program needs from the machine, and nothing more: the components get no stray variable. */
  readonly machine: Readonly<Record<string, string>>;
  /** The value of a variable that the caller named (`--engine-key-env`). */
  named(name: string): string | undefined;
}

const MACHINE = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'LANG', 'LC_ALL', 'TZ', 'SystemRoot', 'USERPROFILE'];

export function readEnvironment(): Environment {
  const { env } = process;
  return {
    callerFolder: env['INIT_CWD'] ?? process.cwd(),
    machine: Object.fromEntries(MACHINE.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
    named: (name) => env[name],
  };
}
