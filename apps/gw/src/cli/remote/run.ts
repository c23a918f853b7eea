import { createInterface } from 'node:readline';
import type { AgentEvent } from '../../agent/types.ts';
import type { Context } from '../../process/context.ts';
import { WrongUsage } from '../../process/fault.ts';
import { maskedLine } from '../../redaction/masked-line.ts';
import { connectTo, type ServeClient } from '../../serve/client.ts';
import { explicitText } from '../../terminal/text/safe.ts';
import { EXIT } from '../command/exit.ts';

/**
 * Joins a served session, line by line: what is typed is sent, what happens there is printed. Several clients may join
 * one session; each sees everything.
 */
export async function runRemote(
  context: Context,
  { url, prompt }: { readonly url: string; readonly prompt: string | null },
): Promise<number> {
  const { terminal } = context;
  if (!(terminal.input && terminal.output))
    throw new WrongUsage('gw remote needs a terminal. Programs use the routes of gw serve.');
  const client = await connectTo(context.environment, url);
  const { session } = await client.ask('GET', '/state');
  const { id, title } = session as { readonly id: string; readonly title: string };
  await terminal.write(
    `Joined ${client.url}, session ${id}${title === '' ? '' : `: ${explicitText(title)}`}.\nType a message. /pause ends the running turn, /leave leaves the session running.\n`,
  );
  const leave = new AbortController();
  const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: '> ' });
  const reader = createReader(
    client,
    // What another process sends must not steer this terminal.
    (text) => void terminal.write(explicitText(text)),
    () => lines.prompt(),
  );
  const report = (error: unknown): void =>
    terminal.report(`${maskedLine(`gw: ${error instanceof Error ? error.message : String(error)}`)}\n`);
  lines.on('line', (line) => {
    reader.line(line).then((stay) => stay || lines.close(), report);
  });
  lines.on('SIGINT', () => lines.close());
  lines.on('close', () => leave.abort());
  let code: number = EXIT.done;
  try {
    await client.events(
      (event) => reader.event(event as AgentEvent),
      () => {
        lines.prompt();
        if (prompt !== null) client.ask('POST', '/message', { message: prompt }).catch(report);
      },
      leave.signal,
    );
    report('The session ended.');
  } catch (error) {
    if (!leave.signal.aborted) {
      report(error);
      code = EXIT.failed;
    }
  } finally {
    lines.close();
  }
  return code;
}

/** What is typed and what happens there, with the approval that waits. */
function createReader(client: ServeClient, write: (text: string) => void, prompt: () => void) {
  let waiting: string | null = null;
  return {
    /** False where the person leaves. */
    async line(line: string): Promise<boolean> {
      const text = line.trim();
      if (text === '/leave' || text === '/exit') return false;
      if (text === '/pause') await client.ask('POST', '/pause');
      else if (waiting !== null && /^(?:y|yes|n|no)$/i.test(text)) {
        const [requestId, approved] = [waiting, /^y/i.test(text)];
        waiting = null;
        await client.ask('POST', '/permission', { requestId, approved });
      } else if (text !== '') await client.ask('POST', '/message', { message: text });
      prompt();
      return true;
    },
    event(event: AgentEvent): void {
      switch (event.type) {
        case 'text':
          write(event.text);
          break;
        case 'message-finished':
          write('\n');
          break;
        case 'tool-finished':
          write(`${event.tool} ${event.target}: ${event.outcome}\n`);
          break;
        case 'permission-requested':
          waiting = event.id;
          write(`\n${event.tool} ${event.target.value}\n${event.reason} Allow it? y or n: `);
          break;
        case 'question':
          write(`\n${event.question}${event.options.map((option) => `\n- ${option}`).join('')}\n`);
          break;
        case 'notice':
          write(`${event.text}\n`);
          break;
        case 'turn-ended':
          waiting = null;
          if (event.outcome.error !== null) write(`${event.outcome.error.message}\n`);
          prompt();
          break;
        default: // what a line cannot show
      }
    },
  };
}
