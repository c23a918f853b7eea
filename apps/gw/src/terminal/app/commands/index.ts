import { errorMessage } from '@gateway/contract/error-code';
import { type App, hint, printText } from '../app.ts';
import type { Turns } from '../turns.ts';
import type { SlashCommand } from './command.ts';
import { CONVERSATION_COMMANDS } from './conversation.ts';
import { SETTINGS_COMMANDS } from './settings.ts';

const KEYS = [
  'Enter             send; while a turn runs: with the next results',
  'Alt+Enter         while a turn runs: send after it',
  'Shift+Enter, \\    new line (also Ctrl-J)',
  'Shift+Tab         normal, plan mode, auto mode',
  'Esc               interrupt; twice: edit an earlier message',
  'Ctrl-C            clear the line; twice: leave',
  '↑ ↓               earlier messages; ↑ edits a queued one',
  '@                 a file of the project',
  '!                 run a command yourself; the model gets its output with the next message',
  'Ctrl-V            paste an image; Ctrl-G: write in $VISUAL or $EDITOR',
  'Ctrl-O            the whole transcript; Ctrl-T: fold thinking',
  'Ctrl-B            put the running command into the background',
  'Ctrl-R            search earlier messages; Ctrl-Z: suspend',
  'Ctrl-A E U K W Y  begin, end, cut, cut, cut word, paste',
];

const OWN: readonly SlashCommand[] = [
  {
    name: 'help',
    about: 'show commands and keys',
    whileRunning: true,
    run: (_, app) => {
      const width = Math.max(...COMMANDS.map(({ name }) => name.length)) + 3;
      printText(app, COMMANDS.map(({ name, about }) => `/${name}`.padEnd(width) + about).join('\n'));
      printText(app, KEYS.join('\n'));
    },
  },
];
const EXIT: SlashCommand = { name: 'exit', about: 'leave', whileRunning: true, run: (_, app) => app.leave(0) };

/** Every command, as `/help` lists them. */
export const COMMANDS: readonly SlashCommand[] = [...OWN, ...CONVERSATION_COMMANDS, ...SETTINGS_COMMANDS, EXIT];

/** Runs `/name argument`. False where the text names no command: a path, for instance. */
export function runCommand(text: string, app: App, turns: Turns): boolean {
  const [, name, argument = ''] = /^\/([\w-]+)(?:\s+([\s\S]*))?$/.exec(text) ?? [];
  if (name === undefined) return false;
  const command = COMMANDS.find((each) => each.name === name);
  if (command === undefined && runOwn(text, name, argument.trim(), app, turns)) return true;
  if (command === undefined) {
    printText(app, `There is no command /${name}. /help lists them.`, { color: 'yellow' });
    return true;
  }
  if (app.state.activity !== null && command.whileRunning !== true) {
    app.state.queue = [...app.state.queue, text];
    hint(app, `/${name} waits for the end of the turn. Esc interrupts it.`);
    return true;
  }
  Promise.resolve(command.run(argument.trim(), app, turns)).catch((error: unknown) => {
    printText(app, `/${name} failed: ${errorMessage(error)}`, { color: 'red' });
  });
  return true;
}

/** Runs a command of one's own. False where there is none of this name. */
function runOwn(text: string, name: string, given: string, app: App, turns: Turns): boolean {
  const own = app.isOpen() ? (app.host.ownCommand?.(name, given) ?? null) : null;
  if (own === null) return false;
  if (app.state.activity !== null) {
    app.state.queue = [...app.state.queue, text];
    hint(app, `/${name} waits for the end of the turn. Esc interrupts it.`);
    return true;
  }
  const run = async (): Promise<void> => {
    const session = app.session();
    const before = session.model;
    if (own.model !== null) {
      session.setModel(await app.host.model(own.model));
      const leave = session.subscribe((event) => {
        if (event.type !== 'turn-ended') return;
        leave();
        session.setModel(before);
      });
    }
    turns.runOwn(own, text);
  };
  run().catch((error: unknown) => printText(app, `/${name} failed: ${errorMessage(error)}`, { color: 'red' }));
  return true;
}
