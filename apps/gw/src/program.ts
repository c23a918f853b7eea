import { Command, InvalidArgumentError } from 'commander';
import type { Context } from './context.ts';
import { VERSION } from './product.ts';
import { wrapped } from './wrapped.ts';

/** What `gw diagnose` does, paragraph by paragraph. */
const DIAGNOSE_HELP = [
  'The report says what this client finds on this machine: versions, terminal, proxies, certificates, tools, repository, the .gateway directories, configuration, agents and instructions, and first of all what is wrong and how to mend it. Secrets, the values of variables and your name are left out. No connection is made. Read it before you hand it on.',
  'Exit code: 0 the report was written, whatever it found; 1 it could not be written; 2 wrong usage.',
];

/** Columns of a help text that is not shown in a terminal. */
const USUAL_WIDTH = 80;

/** Columns that a help text may take. */
export function helpWidthOf({ terminal }: Context): number {
  return terminal.columns ?? USUAL_WIDTH;
}

/** The command line: words and options here, what they do in one file a command, which is loaded when it is called. */
export function createProgram(context: Context): Command {
  const program = new Command('gw')
    .description('The developers’ client of the gateway.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .allowExcessArguments(false)
    .configureHelp({ sortSubcommands: false, minWidthToWrap: 12 });

  program
    .command('diagnose')
    .description('write a local diagnostic report; nothing is sent')
    .helpOption('-h, --help', 'show help')
    .option('--output <file>', 'write there; - is standard output (default: ./gw-diagnostic-<instant>.txt)', aFile)
    .option('--force', 'replace the file of --output')
    .option('--config <file>', 'look at this configuration instead of those found', aFile)
    .option('--json', 'write the report as JSON')
    .allowExcessArguments(false)
    .addHelpText('after', () => DIAGNOSE_HELP.map((part) => `\n${wrapped(part, helpWidthOf(context))}`).join('\n'))
    .action(async (options: object) => (await import('./commands/diagnose.ts')).runDiagnose(context, options));
  return program;
}

/** An empty word is what a variable that is not set leaves behind: it names no file. */
function aFile(word: string): string {
  if (word === '') throw new InvalidArgumentError('Name a file.');
  return word;
}
