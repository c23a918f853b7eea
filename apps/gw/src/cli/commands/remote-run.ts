import { createInterface } from 'node:readline';
import { errorMessage } from '@gateway/contract/error-code';
import type { AgentEvent } from '../../agent/types/index.ts';
import type { Context } from '../../process/context.ts';
import { WrongUsage } from '../../process/fault.ts';
import { maskLine } from '../../redaction/mask-line.ts';
import { connectTo, type ServeClient } from '../../serve/client.ts';
import { explicitText } from '../../terminal/text/safe.ts';
import { EXIT } from '../command/command.ts';

interface Streams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/**
 * Joins a served session, line by line: what is typed is sent, what happens there is printed. Several clients may join
 * one session; each sees everything.
 */
export async function runRemote(
  context: Context,
  { url, prompt }: { readonly url: string; readonly prompt: string | null },
  { input, output }: Streams = { input: process.stdin, output: process.stdout },
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
  const lines = createInterface({ input, output, prompt: '> ' });
  const again = (): void => {
    if (!leave.signal.aborted) lines.prompt();
  };
  const reader = createReader(
    client,
    // What another process sends must not steer this terminal.
    (text) => void terminal.write(explicitText(text)),
    again,
  );
  const report = (error: unknown): void => terminal.report(`${maskLine(`gw: ${errorMessage(error)}`)}\n`);
  lines.on('line', (line) => {
    reader.line(line).then(
      (stay) => (stay ? again() : lines.close()),
      (error: unknown) => {
        report(error);
        again();
      },
    );
  });
  lines.on('SIGINT', () => lines.close());
  lines.on('close', () => leave.abort());
  let code: number = EXIT.done;
  try {
    await client.events(
      (event) => reader.event(event as AgentEvent),
      () => {
        again();
        // What was asked before anybody joined is in no event.
        client
          .ask('GET', '/state')
          .then(({ pendingPermission }) => pendingPermission !== null && reader.ask(pendingPermission as Asked))
          .catch(report);
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

/** A call that waits for an approval. */
interface Asked {
  readonly requestId: string;
  readonly tool: string;
  readonly target: string;
  readonly reason: string;
}

/** What is typed and what happens there, with the approvals that wait. */
function createReader(client: ServeClient, write: (text: string) => void, prompt: () => void) {
  const waiting = new Map<string, Asked>();
  const show = ({ tool, target, reason }: Asked): void => write(`\n${tool} ${target}\n${reason} Allow it? y or n: `);
  /** One after the other: the answer is to the one that was shown. */
  const ask = (asked: Asked): void => {
    if (waiting.has(asked.requestId)) return;
    waiting.set(asked.requestId, asked);
    if (waiting.size === 1) show(asked);
  };
  const settle = (requestId: string): void => {
    const [shown] = waiting.keys();
    waiting.delete(requestId);
    const [next] = waiting.values();
    if (shown === requestId && next !== undefined) show(next);
  };
  return {
    ask,
    /** False where the person leaves. */
    async line(line: string): Promise<boolean> {
      const text = line.trim();
      const [requestId] = waiting.keys();
      if (text === '/leave' || text === '/exit') return false;
      if (text === '/pause') await client.ask('POST', '/pause');
      else if (requestId !== undefined && /^(?:y|yes|n|no)$/i.test(text)) {
        settle(requestId);
        await client.ask('POST', '/permission', { requestId, approved: /^y/i.test(text) });
      } else if (text !== '') await client.ask('POST', '/message', { message: text });
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
          ask({ requestId: event.id, tool: event.tool, target: event.target.value, reason: event.reason });
          break;
        case 'permission-decided':
          if (waiting.has(event.id))
            write(`\n${event.tool} ${event.target} was decided elsewhere: ${event.decision}\n`);
          settle(event.id);
          break;
        case 'question':
          write(`\n${event.question}${event.options.map((option) => `\n- ${option}`).join('')}\n`);
          break;
        case 'notice':
          write(`${event.text}\n`);
          break;
        case 'turn-ended':
          waiting.clear();
          if (event.outcome.error !== null) write(`${event.outcome.error.message}\n`);
          prompt();
          break;
        default: // what a line cannot show
      }
    },
  };
}
