import { Command } from 'commander';
import { COMMANDS, groupOf } from './commands.ts';
import type { Context } from './context/context.ts';
import { namesOf } from './context/entry.ts';
import { WrongWords } from './context/fault.ts';
import { holdToWhatIsGiven } from './given.ts';
import { groupHelpAfter, helpAfter, usageLine } from './help.ts';
import { VERSION } from './version.ts';

/** Calls a command with its words and options. */
export type Perform = (json: boolean, work: (context: Context) => Promise<void>) => Promise<void>;

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
