import { errorMessage } from '@gateway/contract/error-code';
import type { AgentSession, ServerStatus } from '../../agent/types/index.ts';
import { pluralize } from '../../process/pluralize.ts';
import { modelLabel } from '../view/state.ts';
import { euros, tokens } from '../view/status.ts';
import { type App, hint, inBackground, printText } from './app.ts';
import type { CommandInfo } from './completing.ts';
import type { Turns } from './turns.ts';

const INIT_PROMPT =
  'Look at this repository and write AGENTS.md at its root: what the project is, how it is laid out, how to build, test and check it, and the conventions that a change must keep. Read the README, the build files and the main sources first. Keep it under 80 lines. If AGENTS.md exists, improve it.';

async function useModel(app: App, name: string): Promise<void> {
  try {
    const model = await app.host.model(name);
    app.session().setModel(model);
    app.state.model = model.name;
    app.state.modelHost = model.host ?? null;
    app.state.contextLength = model.contextLength;
    printText(app, `The model is now ${model.name}.`, { dim: true });
  } catch (error) {
    printText(app, errorMessage(error), { color: 'red' });
  }
}

function serverLines({ name, how, ofProject, state, reason, tools }: ServerStatus): readonly string[] {
  const mark = ofProject ? '  (named by the project)' : '';
  return [
    `${name}  ${state}${reason === null ? '' : `: ${reason}`}${mark}`,
    `  ${how}`,
    ...tools.map((tool) => `  ${tool}`),
    ...(state === 'not started' ? ['  It starts with the next message.'] : []),
  ];
}

const SETTINGS_COMMANDS: readonly SlashCommand[] = [
  {
    name: 'model',
    about: 'choose the model: /model, or /model NAME',
    run: async (argument, app) => {
      if (argument !== '') {
        await useModel(app, argument);
        return;
      }
      const models = app.host.models();
      app.state.picker = {
        title: 'Choose a model',
        items: models,
        selected: Math.max(0, models.indexOf(app.state.model)),
        choose: (index) => inBackground(app, () => useModel(app, models[index] ?? '')),
      };
    },
  },
  {
    name: 'config',
    about: 'show the configuration in use and where it is from',
    whileRunning: true,
    run: async (_, app) => printText(app, (await app.host.describeConfiguration()).join('\n')),
  },
  {
    name: 'mcp',
    about: 'show the MCP servers and their tools; /mcp login NAME signs in to one',
    whileRunning: true,
    run: async (argument, app) => {
      const [, name] = /^login\s+(\S+)$/.exec(argument) ?? [];
      if (name !== undefined) {
        const show = (address: string): void =>
          printText(app, `Sign in with your browser. If it does not open, open this address:\n${address}`);
        printText(app, await app.host.signInToServer(name, show));
        return;
      }
      if (argument !== '') {
        printText(app, 'Write /mcp, or /mcp login NAME.', { color: 'yellow' });
        return;
      }
      const servers = app.session().servers();
      printText(app, servers.length === 0 ? 'No MCP server is configured.' : servers.flatMap(serverLines).join('\n'));
    },
  },
  {
    name: 'permissions',
    about: 'show rules and approvals; /permissions forget removes the approvals of this project',
    whileRunning: true,
    run: async (argument, app) => {
      if (argument === 'forget') {
        const count = await app.host.forgetApprovals();
        const kept = count === 1 ? '1 approval' : `${count} approvals`;
        printText(app, `Forgotten: ${kept} of this project, and those of this session.`, { dim: true });
      } else if (argument === '') printText(app, (await app.host.describePermissions()).join('\n'));
      else printText(app, 'Write /permissions, or /permissions forget.', { color: 'yellow' });
    },
  },
  { name: 'init', about: 'let the model write AGENTS.md for this project', run: (_, app) => app.send(INIT_PROMPT) },
  {
    name: 'jobs',
    about: 'show the background commands of this session',
    whileRunning: true,
    run: (_, app) => {
      const jobs = app.session().jobs.list();
      const rows = jobs.map(({ id, command, state, exitCode }) => {
        const how = state === 'running' ? 'running' : `ended with ${exitCode ?? 'a signal'}`;
        return `${id}  ${how}  ${command.split('\n')[0] ?? ''}`;
      });
      printText(app, rows.length === 0 ? 'No command was started in the background.' : rows.join('\n'));
    },
  },
  {
    name: 'info',
    about: 'show the session, its tokens and where it is kept',
    whileRunning: true,
    run: (_, app) => {
      const { state } = app.session();
      const { usage } = state;
      const context = app.state.contextLength === null ? '' : ` of ${tokens(app.state.contextLength)}`;
      const rows = [
        `session   ${state.id}`,
        ...(state.parent === null ? [] : [`copy of   ${state.parent}`]),
        `title     ${state.title || '(none yet)'}`,
        `project   ${state.project}`,
        `model     ${modelLabel(app.state)}`,
        `mode      ${app.state.mode}`,
        `turns     ${state.turns}`,
        `tokens    ${tokens(usage.inputTokens)} in, ${tokens(usage.outputTokens)} out, ${pluralize(usage.calls, 'call')}`,
        ...(state.cost === null ? [] : [`cost      ${euros(state.cost)}, by the prices in the configuration`]),
        `context   ${tokens(app.state.contextTokens)}${context} tokens`,
        `record    ~/.gateway/record/${state.id}.jsonl`,
      ];
      printText(app, rows.join('\n'));
    },
  },
];

/** A command of the terminal, `/name argument`. */
interface SlashCommand extends CommandInfo {
  /** Of a running turn: most commands change what it works on, and wait for its end. */
  readonly whileRunning?: boolean;
  run(argument: string, app: App, turns: Turns): Promise<void> | void;
}

const MOST_SESSIONS = 100;

async function choose(app: App, turns: Turns): Promise<void> {
  const current = app.session().state.id;
  const sessions = (await app.host.sessions()).filter(({ id }) => id !== current).slice(0, MOST_SESSIONS);
  if (sessions.length === 0) {
    printText(app, 'There is no other session of this project.', { dim: true });
    return;
  }
  app.state.picker = {
    title: 'Resume a session of this project',
    items: sessions.map(
      ({ title, updatedAt, turns: count }) =>
        `${dayOf(updatedAt)}  ${title || 'Untitled'} (${count} ${count === 1 ? 'turn' : 'turns'})`,
    ),
    selected: 0,
    choose: (index) => {
      const chosen = sessions[index];
      if (chosen !== undefined) open(app, turns, () => app.host.resume(chosen.id));
    },
  };
  app.screen.refresh();
}

/** Shows another session, or says why it could not be opened. What is sent meanwhile waits for that session. */
function open(app: App, turns: Turns, session: () => Promise<AgentSession>, done?: () => void): void {
  turns.run('Opening', async () => {
    await app.use(await session());
    done?.();
  });
}

function dayOf(instant: string): string {
  return instant.slice(0, 16).replace('T', ' ');
}

const CONVERSATION_COMMANDS: readonly SlashCommand[] = [
  {
    name: 'clear',
    about: 'start a new conversation',
    run: (_, app, turns) => open(app, turns, () => app.host.fresh()),
  },
  { name: 'resume', about: 'continue an earlier session', run: (_, app, turns) => choose(app, turns) },
  { name: 'sessions', about: 'choose among the sessions of this project', run: (_, app, turns) => choose(app, turns) },
  {
    name: 'fork',
    about: 'continue with a copy of this session, under a new identifier',
    run: (_, app, turns) => {
      const before = app.session().state.id;
      const done = (): void => printText(app, `This is a copy; ${before} stays as it is.`, { dim: true });
      open(app, turns, () => app.host.fork(before), done);
    },
  },
  {
    name: 'title',
    about: 'name this session: /title Fix the parser',
    whileRunning: true,
    run: async (argument, app) => {
      if (argument === '') {
        printText(app, app.session().state.title || 'This session has no title yet.');
        return;
      }
      await app.session().setTitle(argument);
      printText(app, `New title: “${app.session().state.title}”`, { dim: true });
    },
  },
  {
    name: 'compact',
    about: 'summarize the older part of the conversation',
    run: (_, app, turns) => turns.run('Compacting', () => app.session().compact()),
  },
  {
    name: 'undo',
    about: 'restore the files and the conversation as they were before the latest turn',
    run: (_, app, turns) =>
      turns.run('Restoring', async () => {
        const { turns: before } = app.session().state;
        const restored = await app.session().snapshots.undo(before);
        const dropped = await app.session().rewind(1);
        const isSummarized = dropped.length === 0 && app.session().state.turns < before;
        if (restored === null && dropped.length === 0 && !isSummarized) hint(app, 'There is nothing to undo.');
        else reportRestored(app, 'Undone', restored, dropped.at(-1));
        if (isSummarized)
          printText(app, 'The message is part of a summary, which stays in the conversation.', { dim: true });
      }),
  },
  {
    name: 'redo',
    about: 'redo what /undo reverted',
    run: (_, app, turns) =>
      turns.run('Restoring', async () => {
        const { turns: before } = app.session().state;
        const returned = await app.session().restore();
        const restored = await app.session().snapshots.redo(app.session().state.turns);
        if (restored === null && app.session().state.turns === before) hint(app, 'There is nothing to redo.');
        else reportRestored(app, 'Redone', restored, returned.at(-1));
      }),
  },
];

const LONGEST_QUOTE = 60;

function reportRestored(
  app: App,
  what: string,
  restored: { readonly files: readonly string[]; readonly conflicts: readonly string[] } | null,
  message: string | undefined,
): void {
  const files = restored?.files ?? [];
  const conflicts = restored?.conflicts ?? [];
  const begin = message?.slice(0, LONGEST_QUOTE).split('\n')[0];
  // No full stop after the quotation: what people write ends with punctuation of its own.
  const line = begin === undefined ? `${what}.` : `${what}: “${begin}${begin === message ? '' : '…'}”`;
  printText(app, line, { bold: true });
  printText(app, files.length === 0 ? 'No file was changed.' : `Restored: ${files.join(', ')}`);
  if (conflicts.length > 0)
    printText(app, `Not changed, because they were changed since then: ${conflicts.join(', ')}`, { color: 'yellow' });
}

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

/** What other agents call a command. */
const OTHER_NAMES: Readonly<Record<string, string>> = { quit: 'exit', new: 'clear' };

/** Whether a text is the command that leaves: it does not wait for a session that is still being opened. */
export const isLeaving = (text: string): boolean => text === '/exit' || OTHER_NAMES[text.slice(1)] === 'exit';

/** Runs `/name argument`. False where the text names no command: a path, for instance. */
export function runCommand(text: string, app: App, turns: Turns): boolean {
  const [, name, argument = ''] = /^\/([\w-]+)(?:\s+([\s\S]*))?$/.exec(text) ?? [];
  if (name === undefined) return false;
  const named = (wanted: string | undefined) => COMMANDS.find((each) => each.name === wanted);
  let command = named(name);
  if (command === undefined && runOwn(text, name, argument.trim(), app, turns)) return true;
  command ??= named(OTHER_NAMES[name]);
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
