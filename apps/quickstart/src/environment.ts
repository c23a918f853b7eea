/** The only reader of the environment of `npm start`. */
export interface Environment {
  /** The folder `npm start` was called from; npm itself changes to the checkout. */
  readonly callerFolder: string;
  /** What every program needs from the machine, and nothing more: the components get no stray variable. */
  readonly machine: Readonly<Record<string, string>>;
  /** What the gateway also takes from the caller's shell: proxies, never for this machine, and keys of engines. */
  readonly gateway: Readonly<Record<string, string>>;
  /** The value of a variable that the caller named (`--engine-key-env`). */
  named(name: string): string | undefined;
}

const MACHINE = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'LANG', 'LC_ALL', 'TZ', 'SystemRoot', 'USERPROFILE'];

export function readEnvironment(): Environment {
  const { env } = process;
  return {
    callerFolder: env['INIT_CWD'] ?? process.cwd(),
    machine: Object.fromEntries(MACHINE.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
    gateway: selectVariables(env),
    named: (name) => env[name],
  };
}

const ENGINE_KEY = /(?:_API|(?:^|_)ENGINE)_KEY$/;
const PROXIES = ['HTTPS_PROXY', 'HTTP_PROXY'].flatMap((name) => [name, name.toLowerCase()]);
const THIS_MACHINE = '127.0.0.1,localhost,::1';

/** @param env of the shell that `npm start` was called in */
export function selectVariables(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const set = Object.entries(env).filter((entry): entry is [string, string] => (entry[1] ?? '') !== '');
  const keys = set.filter(([name]) => ENGINE_KEY.test(name) && name !== 'ADMIN_API_KEY');
  const proxies = set.filter(([name]) => PROXIES.includes(name));
  const except = env['NO_PROXY'] || env['no_proxy'];
  const exceptions = except ? `${except},${THIS_MACHINE}` : THIS_MACHINE;
  return Object.fromEntries([...keys, ...proxies, ...(proxies.length > 0 ? [['NO_PROXY', exceptions]] : [])]);
}

/** An error that the user can fix: shown without a stack trace; then exit code 1. */
export class StartFault extends Error {}
