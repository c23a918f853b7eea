import type { SessionOptions, ToolOption } from '../../compose/session-options.ts';
import { WrongUsage } from '../../process/fault.ts';
import { type Given, isGiven, type Option, valueOf, valuesOf } from '../command/command.ts';

/** Options that every command that runs a session takes (client-3). */
export const SESSION_OPTIONS: readonly Option[] = [
  { long: '--config', value: '<path>', about: 'use this configuration file, and trust it' },
  { long: '--org', value: '<slug>', about: 'organization slug; only with -p' },
  { long: '--readonly', about: 'start in plan mode: nothing is changed' },
  { long: '--auto', about: 'start in auto mode: every tool is allowed that is not excluded' },
  { long: '--verbose', about: 'write details to standard error' },
  { long: '--beta-status-tool', about: 'offer the model the Status tool' },
  { long: '--rule', value: '<rule>', repeatable: true, about: 'add a rule: a file or a text' },
  { long: '--mcp', value: '<server>', repeatable: true, about: 'add an MCP server: a YAML file or an http(s) address' },
  { long: '--model', value: '<name>', about: 'start with this model of the configuration, by name or id' },
  { long: '--prompt', value: '<prompt>', repeatable: true, about: 'add to the first message: a file or a text' },
  { long: '--allow', value: '<tool>', repeatable: true, about: 'allow a tool: Write, or Bash(git *)' },
  { long: '--ask', value: '<tool>', repeatable: true, about: 'ask before a tool runs' },
  { long: '--exclude', value: '<tool>', repeatable: true, about: 'never run a tool; outranks everything else' },
  {
    long: '--add-dir',
    value: '<folder>',
    repeatable: true,
    about: 'open this folder to the file tools, as the project is',
  },
  { long: '--agent', value: '<agent>', about: 'load an agent: its name, or a Markdown file' },
];

/** What `gw` itself is given: a session in the terminal, or one prompt with `-p`. */
export interface MainOptions extends SessionOptions {
  readonly print: boolean;
  readonly format: 'json' | 'stream-json' | null;
  /** Answers of the model that ask for tools, at most. */
  readonly maxTurns: number | null;
  /** Files of pictures for the first message. */
  readonly images: readonly string[];
  readonly silent: boolean;
  readonly resume: boolean;
  /** The identifier, or its beginning, that `--resume` names. */
  readonly resumeId: string | null;
  readonly fork: string | null;
  /** The session that was picked in `gw ls`; no option of the command line. */
  readonly session: string | null;
  readonly prompt: string | null;
}

export function parseSessionOptions(given: Given): SessionOptions {
  if (isGiven(given, '--readonly') && isGiven(given, '--auto'))
    throw new WrongUsage('--readonly and --auto exclude each other. Keep one of them.');
  return {
    config: valueOf(given, '--config'),
    org: valueOf(given, '--org'),
    mode: isGiven(given, '--readonly') ? 'plan' : isGiven(given, '--auto') ? 'auto' : 'normal',
    verbose: isGiven(given, '--verbose'),
    statusTool: isGiven(given, '--beta-status-tool'),
    rules: valuesOf(given, '--rule'),
    servers: valuesOf(given, '--mcp'),
    model: valueOf(given, '--model'),
    prompts: valuesOf(given, '--prompt'),
    tools: given.options.flatMap(({ name, value }) =>
      isToolOption(name) ? [{ option: name, rule: value ?? '' }] : [],
    ),
    agent: valueOf(given, '--agent'),
    addedFolders: valuesOf(given, '--add-dir'),
  };
}

function isToolOption(name: string): name is ToolOption['option'] {
  return name === '--allow' || name === '--ask' || name === '--exclude';
}
