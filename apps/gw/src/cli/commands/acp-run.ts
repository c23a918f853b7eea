import { Readable, Writable } from 'node:stream';
import { ndJsonStream } from '@agentclientprotocol/sdk';
import { createEditorAgent } from '../../acp/agent.ts';
import type { SessionOptions } from '../../compose/session-options.ts';
import type { Context } from '../../process/context.ts';
import { EXIT } from '../command/command.ts';
import { runLogin } from './login-run.ts';

export interface AcpOptions extends SessionOptions {
  readonly login: boolean;
}

/** Serves the editor until it closes standard input, or the process is interrupted. */
export async function runAcp(context: Context, options: AcpOptions): Promise<number> {
  if (options.login) return runLogin(context, { gateway: null, way: 'code' });
  const { agent, close } = createEditorAgent(context, options);
  const interrupted = context.interrupted();
  const connection = agent.connect(
    ndJsonStream(
      Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
      Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
    ),
  );
  const leave = (): void => connection.close();
  interrupted.addEventListener('abort', leave, { once: true });
  if (interrupted.aborted) leave();
  await connection.closed;
  interrupted.removeEventListener('abort', leave);
  await close();
  return interrupted.aborted ? EXIT.interrupted : EXIT.done;
}
