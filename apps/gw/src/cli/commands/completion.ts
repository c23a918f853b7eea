import { WrongUsage } from '../../process/fault.ts';
import { type Command, defineCommand } from '../command/command.ts';
import { type Completable, SHELLS } from './options.ts';

/** @param commands the list that this command is in itself. */
export const completionOf = (commands: readonly Completable[]): Command =>
  defineCommand({
    usage: {
      name: 'gw completion',
      purpose: 'Prints a script that completes commands and options of gw in a shell.',
      positionals: [{ name: '<shell>', about: 'bash, zsh or fish' }],
      options: [],
      examples: [
        {
          line: 'source <(gw completion bash)',
          does: 'completes in this bash; put the line into ~/.bashrc to keep it',
        },
        { line: 'gw completion fish > ~/.config/fish/completions/gw.fish', does: 'completes in every fish' },
      ],
    },
    parse(given) {
      const [word] = given.positionals;
      const shell = SHELLS.find((one) => one === word);
      if (shell === undefined)
        throw new WrongUsage(`gw completion takes bash, zsh or fish, not ${JSON.stringify(word)}.`);
      return { shell };
    },
    run: async (context, options) => (await import('./completion-run.ts')).runCompletion(context, commands, options),
  });
