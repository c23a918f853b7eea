import type { AgentSession } from '../../../agent/types.ts';
import { type App, hint, printText } from '../app.ts';
import type { Turns } from '../turns.ts';
import type { SlashCommand } from './command.ts';

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

export const CONVERSATION_COMMANDS: readonly SlashCommand[] = [
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
      printText(app, `The session is now called “${app.session().state.title}”.`, { dim: true });
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
  const quote = begin === undefined ? '' : `: “${begin}${begin === message ? '' : '…'}”`;
  printText(app, `${what}${quote}.`, { bold: true });
  printText(app, files.length === 0 ? 'No file was changed.' : `Restored: ${files.join(', ')}`);
  if (conflicts.length > 0)
    printText(app, `Not changed, because they were changed since then: ${conflicts.join(', ')}`, { color: 'yellow' });
}
