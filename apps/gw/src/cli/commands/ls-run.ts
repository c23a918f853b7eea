import { legible } from '@gateway/contract/legible';
import type { SessionState } from '../../agent/types/index.ts';
import type { Context } from '../../process/context.ts';
import { WrongUsage } from '../../process/fault.ts';
import { maskLine } from '../../redaction/mask-line.ts';
import { createSessionStore } from '../../sessions/store.ts';
import { EXIT } from '../command/command.ts';
import { session } from '../session/command.ts';

/** Sessions that can be picked; older ones are named with --fork. */
const MOST_PICKED = 30;

export async function runLs(context: Context, { json }: { readonly json: boolean }): Promise<number> {
  const { terminal, environment } = context;
  if (environment.homeDirectory === null) throw new WrongUsage('You have no home directory. Set HOME.');
  const { sessions, notices } = await createSessionStore(environment.homeDirectory).list();
  for (const line of notices) terminal.report(`${maskLine(`gw: ${line}`)}\n`);
  if (json) {
    await terminal.write(`${JSON.stringify({ sessions: sessions.map(toListed) })}\n`);
    return EXIT.done;
  }
  if (sessions.length === 0) {
    await terminal.write('There are no sessions yet. Start one with gw.\n');
    return EXIT.done;
  }
  const pick = terminal.input && terminal.output;
  const shown = pick ? sessions.slice(0, MOST_PICKED) : sessions;
  await terminal.write(shown.map((one, at) => lineOf(one, pick ? at + 1 : null)).join(''));
  if (!pick) return EXIT.done;
  const picked = await ask(context, shown);
  if (picked === null) return EXIT.done;
  const given = { options: [{ name: '--session', value: picked.id }], positionals: [] };
  return session.start(given, context);
}

function toListed({ id, title, directory, startedAt, updatedAt, model, turns }: SessionState): object {
  return { id, title, directory, startedAt, updatedAt, model, turns };
}

function lineOf({ id, title, directory, updatedAt, turns }: SessionState, number: number | null): string {
  const count = `${turns} ${turns === 1 ? 'turn' : 'turns'}`;
  const mark = number === null ? '' : `${String(number).padStart(2)}  `;
  return `${mark}${legible(title || 'Untitled')}\n${' '.repeat(mark.length)}${id}  ${updatedAt.slice(0, 16).replace('T', ' ')}  ${count}  ${legible(directory)}\n`;
}

/** Null where nothing was picked. */
async function ask({ terminal }: Context, sessions: readonly SessionState[]): Promise<SessionState | null> {
  const answer = (await terminal.ask('Number of the session to open (Enter: none): '))?.trim() ?? '';
  if (answer === '') return null;
  const picked = /^\d+$/.test(answer) ? sessions[Number(answer) - 1] : undefined;
  if (picked === undefined) throw new WrongUsage(`There is no session number ${JSON.stringify(answer)}.`);
  return picked;
}
