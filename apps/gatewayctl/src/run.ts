import { errorCode, ROLE_ALIASES, ROLE_NAMES, type Role } from '@gateway/contract';
import { roleLabel } from '@gateway/contract/labels';
import { whyUnanswered } from '@gateway/database';
import { Command, CommanderError } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { ACCESS_COMMANDS, INSTANCE_COMMANDS, LOG_COMMANDS, POLICY_COMMANDS } from './command-table.ts';
import { type Context, Different, OutputClosed, type Terminal, WrongUsage, WrongWords } from './context/context.ts';
import { type Entry, namesOf } from './context/entry.ts';
import type { Environment } from './context/environment.ts';
import { EXAMPLES } from './examples.ts';

const ROLE_USES: Readonly<Record<Role, string>> = {
  'utilisateur-standard': 'calls endpoints, reads own consumption, runs agent commands',
  'administrateur-de-projet': 'manages the members of one project; needs --project',
  'administrateur-d-instance': 'manages providers, models, endpoints, policies, roles',
  auditeur: 'reads, exports and verifies the logs',
};
const FIRST_DAY: readonly string[] = ['migrate', 'account create', 'grant', 'roles', 'journal verify'];
const WITH_ROLES: readonly string[] = ['grant', 'revoke-role'];

/** What the help of a command says after its options: the roles where it takes one, and examples. */
function helpAfter(path: string): string {
  const examples = EXAMPLES[path] ?? [];
  return [
    ...(WITH_ROLES.includes(path)
      ? ['', 'Roles (in brackets: the name, and the identifier in logs and policies):', ...indent(roleLines())]
      : []),
    ...(examples.length === 0 ? [] : ['', 'Examples:', ...indent(examples.map((line) => `gatewayctl ${line}`))]),
    '',
  ].join('\n');
}

/** Examples of a group: the first of each of its commands. The empty path is the program, which shows those of a first day. */
function groupHelpAfter(path: string): string {
  const below = path === '' ? FIRST_DAY : Object.keys(EXAMPLES).filter((command) => command.startsWith(`${path} `));
  const most = below.length === 1 ? 2 : 1;
  const examples = below.flatMap((command) => EXAMPLES[command]?.slice(0, most) ?? []);
  const all = `gatewayctl ${path === '' ? '' : `${path} `}COMMAND --help`;
  return [
    '',
    'Examples:',
    ...indent(examples.map((line) => `gatewayctl ${line}`)),
    '',
    `Options and examples of a command: ${all}`,
    '',
  ].join('\n');
}

/** The line that follows a complaint about missing or superfluous words. */
function usageLine(command: Command, path: string): string {
  return `Usage: gatewayctl ${path} ${command.usage()}\nExamples: gatewayctl ${path} --help\n`;
}

function roleLines(): readonly string[] {
  return ROLE_NAMES.flatMap((role) => [
    `${ROLE_ALIASES[role]} (${roleLabel(role)}; ${role})`,
    `    ${ROLE_USES[role]}`,
  ]);
}

function indent(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}

/** The operator's commands (client-27), in the order the help shows them. */
export const COMMANDS: readonly Entry[] = [
  ...ACCESS_COMMANDS,
  ...INSTANCE_COMMANDS,
  ...LOG_COMMANDS,
  ...POLICY_COMMANDS,
  {
    usage: 'completion <shell>',
    description: 'print the script that completes commands in a shell: bash, zsh or fish',
    run: async (context, [shell = '']) =>
      (await import('./commands/completion.ts')).runCompletion(context, shell, COMMANDS),
  },
];

const GROUPS: Readonly<Record<string, string>> = {
  project: 'the members of a project',
  account: 'local accounts and their keys',
  subject: 'the revocation list of the instance',
  session: 'agent sessions',
  organization: 'organizations whose policy is served',
  provider: 'connections to engines',
  'organization policy': 'what an organization imposes on its workstations',
  journal: 'the decision log and the administration log',
  secrets: 'detection of secrets',
  policy: 'the authorization policy that narrows the role matrix',
  license: 'the license of an on-premise deployment',
};

/** What a group of commands is about; `path` is its names. */
function groupOf(path: string): string {
  const description = GROUPS[path];
  if (description === undefined) throw new Error(`the group of commands ${path} has no description`);
  return description;
}

/**
 * Refuses what a command line would silently lose: an option given twice, of which only one value would count, and an empty
 * argument, as an unset variable of a script produces.
 */
function holdToWhatIsGiven(command: Command): void {
  for (const option of command.options.filter(({ required }) => required)) {
    let given = false;
    command.on(`option:${option.name()}`, (value: string) => {
      if (value === '') throw new WrongUsage(`${option.long} must not be empty.`);
      if (given && !option.variadic) throw new WrongUsage(`${option.long} is given twice. Keep one.`);
      given = true;
    });
  }
  command.hook('preAction', () => {
    const at = command.args.indexOf('');
    if (at === -1) return;
    const argument = command.registeredArguments[at] ?? command.registeredArguments.at(-1);
    throw new WrongUsage(`The ${argument?.name()} must not be empty.`);
  });
}

/** Version of the operator commands, which is that of the whole product. */
const VERSION: string = manifest.version;

/** Calls a command with its words and options. */
type Perform = (json: boolean, work: (context: Context) => Promise<void>) => Promise<void>;

/** The command line: arguments and options here, the action of each command in its own file. */
export function createProgram(perform: Perform): Command {
  const program = new Command('gatewayctl')
    .description('Operator commands of the gateway. The owner’s database address is in DATABASE_URL.')
    .option('--json', 'print the result as JSON; before the command or after it')
    .version(VERSION, '-V, --version', 'print the version')
    .addHelpText('after', groupHelpAfter(''))
    // With its options and arguments a name would leave no room for its purpose on 80 columns.
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .helpCommand(false)
    .configureOutput({ outputError: (text, write) => write(`${text}All commands: gatewayctl --help\n`) })
    .exitOverride();
  const groups = new Map<string, Command>();
  for (const { usage, description, options = [], required = [], run } of COMMANDS) {
    // The last name is the command's; those before it are groups, one inside the other.
    const names = namesOf(usage);
    let parent = program;
    let path = '';
    for (const name of names.slice(0, -1)) {
      path = path === '' ? name : `${path} ${name}`;
      const group = groups.get(path) ?? addGroup(parent, name, path);
      groups.set(path, group);
      parent = group;
    }
    const signature = path === '' ? usage : usage.slice(path.length + 1);
    const command = parent.command(signature).description(description).exitOverride();
    for (const [flags, text, fallback] of options) command.option(flags, text, fallback);
    for (const [flags, text] of required) command.requiredOption(flags, text);
    command.option('--json', 'print the result as JSON').allowExcessArguments(false);
    const full = names.join(' ');
    groups.set(full, command); // it may have commands of its own: journal keys endorse
    command.addHelpText('after', helpAfter(full));
    command.configureOutput({
      outputError: (text, write) => write(`${text}${usageLine(command, full)}`),
    });
    holdToWhatIsGiven(command);
    command.action(async () => {
      const { json = false, ...given } = command.optsWithGlobals<{ json?: boolean }>();
      try {
        await perform(json, (context) => run(context, command.args, given as never));
      } catch (error) {
        if (error instanceof WrongWords) command.error(`error: ${error.message}`);
        throw error;
      }
    });
  }
  return program;
}

function addGroup(parent: Command, name: string, path: string): Command {
  const after = groupHelpAfter(path);
  return parent.command(name).description(groupOf(path)).helpCommand(false).addHelpText('after', after);
}

/** Codes of the network that a person meets when the database is not there. */
const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host name is not known',
  ENOENT: 'there is no such socket',
  EHOSTUNREACH: 'the host cannot be reached',
  ETIMEDOUT: 'it does not answer',
  CONNECT_TIMEOUT: 'it does not answer',
  CONNECTION_CLOSED: 'it closed the connection',
  CONNECTION_DESTROYED: 'the connection was lost',
};

/** Error codes of a certificate that is not valid for this host, or not trusted here. */
const CERTIFICATE = /CERT|^UNABLE_TO_/;

/**
 * PostgreSQL's codes for a refused connection: a wrong password, no such database, too many connections, a server that starts.
 */
const REFUSED_CONNECTION = /^(28|3D|53300|57P0)/;

/** PostgreSQL's insufficient_privilege. */
const NOT_ALLOWED = '42501';

/** The message of a fault at the terminal: one line, no stack trace. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = errorCode(error);
  const text = unusable(error, code) ?? (error.message || code || error.name);
  const fix = code === NOT_ALLOWED ? '. DATABASE_URL must be the address of the owner of the database.' : '';
  // An argument or a file that it quotes must not write over the terminal.
  return `${text}${fix}`.replaceAll(/\s*\p{Cc}+\s*/gu, ' ');
}

/** PgBouncer's own words; it gives them the code of any fault of the protocol. */
const OF_A_POOLER = /^unsupported startup parameter/;

/** Why the address of the database is not usable; null if that is not the fault. */
function unusable(error: Error, code: string): string | null {
  const cause = UNREACHABLE[code] ?? (CERTIFICATE.test(code) ? whyUnanswered(error) : undefined);
  if (cause !== undefined) return `The database of DATABASE_URL cannot be reached: ${cause}.`;
  if (REFUSED_CONNECTION.test(code) || OF_A_POOLER.test(error.message))
    return `The database of DATABASE_URL refuses the connection: ${whyUnanswered(error)}.`;
  return null;
}

export const DONE = 0;
export const FAILED = 1;
export const WRONG_USAGE = 2;
export const DIFFERENT = 3;

/** A command, and all commands of its groups, however deep. */
function withThoseBelow(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withThoseBelow)];
}

/**
 * Runs one command line. Every fault ends in one line on standard error, without a stack trace.
 * @returns the exit code: 0 done, 1 refused or failed, 2 wrong usage (client-27), 3 different (`diff`).
 */
export async function run(args: readonly string[], environment: Environment, terminal: Terminal): Promise<number> {
  const program = createProgram((json, work) => work({ environment, terminal, json }));
  const help: string[] = [];
  for (const command of withThoseBelow(program)) {
    command.exitOverride().configureOutput({
      writeOut: (text) => help.push(text),
      writeErr: (text) => terminal.report(text.replaceAll(/(?!\n)\p{Cc}/gu, ' ')), // it quotes arguments
    });
  }
  try {
    await program.parseAsync(args, { from: 'user' }).catch(async (error: unknown) => {
      if (help.length > 0) await terminal.write(help.join(''));
      throw error;
    });
    return DONE;
  } catch (error) {
    if (error instanceof OutputClosed) return DONE;
    if (error instanceof Different) return DIFFERENT;
    if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : WRONG_USAGE; // commander has printed the error
    terminal.report(`gatewayctl: ${sentenceOf(error)}\n`);
    return error instanceof WrongUsage ? WRONG_USAGE : FAILED;
  }
}
