import { resolve } from 'node:path';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';

export type ProfileName = 'serverless' | 'on-premise';

export interface Options {
  readonly profile: ProfileName;
  /** A real engine instead of the demo engine. */
  readonly engine: { readonly baseUrl: string; readonly model: string; readonly keyEnv: string | null } | null;
  /** Free ports; the data goes when everything ends, unless `data` names a folder. */
  readonly ephemeral: boolean;
  /** One JSON line on standard output instead of sentences. */
  readonly json: boolean;
  /** Nothing is declared or granted beyond what the product itself does at its first start. */
  readonly bare: boolean;
  /** TCP ports; 0: a free one. */
  readonly ports: { readonly gateway: number; readonly console: number; readonly database: number };
  /** Folder that keeps the data, absolute; null: the default one. */
  readonly data: string | null;
  /** Variables of the gateway that replace what would be set here. */
  readonly gatewayEnvironment: Readonly<Record<string, string>>;
  /** Unpacked documentation archive, absolute. */
  readonly docs: string | null;
}

export type Parsed = { readonly options: Options } | { readonly exitCode: number; readonly text: string };

function port(text: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number <= 65_535)) throw new InvalidArgumentError('A port is a number from 0 (a free one) to 65535.');
  return number;
}

/** The part of the engine's address that the path of a chat call is appended to: without `/v1`, for the call brings it. */
function engineUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError('It is an address that begins with http:// or https://.');
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new InvalidArgumentError('The address carries no user, password, query or fragment.');
  }
  return url.href.replace(/\/+$/, '').replace(/\/v1$/, '');
}

function variableName(text: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(text))
    throw new InvalidArgumentError('It is the name of a variable, not a key.');
  return text;
}

function assignment(text: string, before: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const [, name, value] = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('It has the form NAME=VALUE.');
  return { ...before, [name]: value };
}

/** An empty word is what a variable of the shell gives that is not set: it would name the folder one happens to be in. */
function folder(text: string): string {
  if (text === '') throw new InvalidArgumentError('It is the path of a folder, and empty.');
  return text;
}

/** Two programs cannot listen on one port, and it shows only once everything was built. */
function clash(ports: Options['ports']): string | null {
  const options = [
    ['--port', 'the gateway', ports.gateway],
    ['--console-port', 'the console', ports.console],
    ['--database-port', 'PostgreSQL', ports.database],
  ] as const;
  for (const [at, [first, one, port]] of options.entries()) {
    const other = options.slice(at + 1).find(([, , taken]) => port !== 0 && taken === port);
    if (other)
      return `${one} and ${other[1]} cannot both have port ${port}. Choose another one with ${first} or ${other[0]}.`;
  }
  return null;
}

interface Raw {
  readonly profile: ProfileName;
  readonly engine?: string;
  readonly model?: string;
  readonly engineKeyEnv?: string;
  readonly ephemeral: boolean;
  readonly json: boolean;
  readonly bare: boolean;
  readonly port?: number;
  readonly consolePort?: number;
  readonly databasePort?: number;
  readonly data?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly docs?: string;
}

function command(): Command {
  return new Command('npm start --')
    .description(
      'Runs the whole service on this machine: PostgreSQL, gateway, console, an engine and a first endpoint.',
    )
    .addOption(
      new Option('--profile <name>', 'build profile').choices(['serverless', 'on-premise']).default('serverless'),
    )
    .option('--engine <url>', 'a chat-completions engine to use instead of the demo engine', engineUrl)
    .option('--model <slug>', 'the model that engine lists')
    .option('--engine-key-env <name>', 'the variable that holds the key of that engine', variableName)
    .option('--ephemeral', 'free ports, and data that is deleted when everything ends', false)
    .option('--json', 'print one JSON line when everything is ready', false)
    .option('--bare', 'create no declarations and roles', false)
    .option('--port <number>', 'port of the gateway (default 6001)', port)
    .option('--console-port <number>', 'port of the console (default 6002)', port)
    .option('--database-port <number>', 'port of PostgreSQL (default 6000)', port)
    .option('--data <folder>', 'folder that keeps the data (default .gateway)', folder)
    .option('--env <assignment>', 'NAME=VALUE for the gateway, replaces what is set here; repeatable', assignment, {})
    .option('--docs <folder>', 'unpacked documentation archive to serve', folder)
    .allowExcessArguments(false);
}

/** Reads the words after `npm start --`. A wrong one gives a line that says how it is right, and exit code 2. */
export function parseOptions(args: readonly string[], callerFolder: string): Parsed {
  let text = '';
  const keep = (part: string): void => {
    text += part;
  };
  const program = command().exitOverride().configureOutput({ writeOut: keep, writeErr: keep });
  try {
    const raw = program.parse(args, { from: 'user' }).opts<Raw>();
    if ((raw.engine === undefined) !== (raw.model === undefined)) {
      program.error('error: --engine and --model go together: the address of an engine, and a model it lists.');
    }
    if (raw.engineKeyEnv !== undefined && raw.engine === undefined) {
      program.error('error: --engine-key-env names the key of the engine that --engine gives.');
    }
    const options = frozen(raw, callerFolder);
    const clashing = clash(options.ports);
    if (clashing !== null) program.error(`error: ${clashing}`);
    return { options };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { exitCode: 0, text };
    const line = text.trim().replaceAll(/\s*\n\s*/g, ' ');
    return { exitCode: 2, text: `${line} (npm start -- --help lists the options)\n` };
  }
}

function frozen(raw: Raw, callerFolder: string): Options {
  const standard = (number: number): number => (raw.ephemeral ? 0 : number);
  const absolute = (path: string | undefined): string | null =>
    path === undefined ? null : resolve(callerFolder, path);
  return {
    profile: raw.profile,
    engine:
      raw.engine === undefined || raw.model === undefined
        ? null
        : { baseUrl: raw.engine, model: raw.model, keyEnv: raw.engineKeyEnv ?? null },
    ephemeral: raw.ephemeral,
    json: raw.json,
    bare: raw.bare,
    ports: {
      gateway: raw.port ?? standard(6001),
      console: raw.consolePort ?? standard(6002),
      database: raw.databasePort ?? standard(6000),
    },
    data: absolute(raw.data),
    gatewayEnvironment: raw.env,
    docs: absolute(raw.docs),
  };
}
