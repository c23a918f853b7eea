import type { Context } from '../../process/context.ts';
import { WrongUsage } from '../../process/fault.ts';
import type { MainOptions } from './options.ts';

/** Runs one session: in the terminal, or headless with `-p`. */
export async function runSession(context: Context, options: MainOptions): Promise<number> {
  if (options.print) return (await import('./headless.ts')).runHeadless(context, options);
  if (!(context.terminal.input && context.terminal.output))
    throw new WrongUsage('A session needs a terminal. Use -p (--print) to print one answer.');
  return (await import('./interactive.ts')).runInteractive(context, options);
}
