import type { Command } from 'commander';
import { WrongUsage } from './context/fault.ts';

/**
 * Refuses what a command line would silently lose: an option given twice, of which only one value would count, and an empty
 * argument, as an unset variable of a script produces.
 */
export function holdToWhatIsGiven(command: Command): void {
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
