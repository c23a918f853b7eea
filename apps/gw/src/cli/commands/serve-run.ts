import { randomBytes } from 'node:crypto';
import { openSession } from '../../compose/open-session.ts';
import type { SessionOptions } from '../../compose/session-options.ts';
import { openWorkspace, readSavedState } from '../../compose/workspace.ts';
import type { Context } from '../../process/context.ts';
import { WrongUsage } from '../../process/fault.ts';
import { maskLine } from '../../redaction/mask-line.ts';
import { forgetToken, keepToken } from '../../serve/client.ts';
import { createConversation, diffOf } from '../../serve/conversation.ts';
import { listen } from '../../serve/server.ts';
import { EXIT } from '../command/command.ts';

export interface ServeOptions extends SessionOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly timeoutS: number;
  /** An option that asks for central storage; null without one. */
  readonly storage: string | null;
  readonly resume: boolean;
  readonly prompt: string | null;
}

const SHORTEST_TOKEN = 16;

export async function runServe(context: Context, options: ServeOptions): Promise<number> {
  const { terminal, environment } = context;
  const report = (line: string): void => terminal.report(`${maskLine(`gw: ${line}`)}\n`);
  if (options.storage !== null) report(`${options.storage} is ignored: this build has no central storage.`);
  const token = environment.variables.get('GATEWAY_SERVE_TOKEN') ?? randomBytes(32).toString('base64url');
  if (!/^[\x21-\x7e]+$/.test(token) || token.length < SHORTEST_TOKEN)
    throw new WrongUsage(`GATEWAY_SERVE_TOKEN must have ${SHORTEST_TOKEN} characters or more, without blanks.`);
  const workspace = await openWorkspace(context, options);
  const state = await readSavedState(workspace, { resume: options.resume, fork: null }, report);
  const session = await openSession(workspace, { state, interactive: true, mode: options.mode });
  for (const line of workspace.notices()) report(line);
  session.subscribe((event) => {
    if (event.type === 'notice' && (event.level === 'warning' || options.verbose)) report(event.text);
  });
  const conversation = createConversation(session, options.timeoutS * 1000);
  try {
    const server = await listen({
      host: options.host,
      port: options.port,
      token,
      conversation,
      session,
      diff: () => diffOf(environment, workspace.project.directory),
    });
    const file = await keepToken(workspace.home, {
      url: server.url,
      port: server.port,
      session: session.state.id,
      token,
    });
    const leave = (): void => conversation.end();
    const interrupted = context.interrupted();
    interrupted.addEventListener('abort', leave, { once: true });
    try {
      await terminal.write(`${JSON.stringify({ url: server.url, session: session.state.id, token })}\n`);
      const first = await workspace.firstMessage('', options.prompt);
      if (first !== null) conversation.send(first);
      await conversation.ended;
    } finally {
      interrupted.removeEventListener('abort', leave);
      await forgetToken(file);
      await server.close();
    }
    return interrupted.aborted ? EXIT.interrupted : EXIT.done;
  } finally {
    conversation.end();
    await session.close();
  }
}
