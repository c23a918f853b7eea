import type { Socket } from 'node:net';
import { errorMessage } from '@gateway/contract/error-code';
import type { Execution } from '../../commands/execution.ts';
import type { GrantedCommand } from '../../commands/runner.ts';
import type { StopCause } from '../../commands/stop-cause.ts';
import type { Inspectors } from '../../inspection/inspectors.ts';
import { DATABASE_BUDGET } from '../../store/budget.ts';
import type { TakeLine } from '../hub.ts';
import { writeJsonLine } from '../json-lines.ts';
import type { CommandOrder, CommandReply, CommandRequest, GrantedMessage } from './messages.ts';

/** Serves the agent commands of the main process to its workers. */
export class CommandServer {
  readonly #execution: Execution;
  readonly #inspectors: Inspectors;

  /** @param inspectors those of the policy revision that a worker read with the call's facts */
  constructor(execution: Execution, inspectors: Inspectors) {
    this.#execution = execution;
    this.#inspectors = inspectors;
  }

  serve(socket: Socket, request: CommandRequest): TakeLine {
    if (request.ask === 'start') return this.#start(socket, request.granted);
    this.#answer(socket, request).then(
      (reply) => writeJsonLine(socket, reply),
      (error: unknown) => writeJsonLine(socket, failure(error)),
    );
    return () => {};
  }

  async #answer(socket: Socket, request: Exclude<CommandRequest, { ask: 'start' }>): Promise<CommandReply> {
    const execution = this.#execution;
    if (request.ask === 'slot') {
      const slot = execution.takeSlot(request.subject);
      if ('release' in slot) socket.once('close', slot.release);
      return 'refused' in slot ? slot : { done: true };
    }
    if (request.ask === 'interrupt') return { found: await execution.interrupt(request.identifier, request.subject) };
    await execution.recordDescent(request.owned, request.parentSession);
    return { done: true };
  }

  /** The worker orders what becomes of the command once its start is written down. One that ends before has no caller for it any more. */
  #start(socket: Socket, { variables, ...asked }: GrantedMessage): TakeLine {
    const execution = this.#execution;
    let granted: GrantedCommand | null = null;
    let decided = false;
    let ending = false;
    const neverRan = (cause: StopCause | null): void => {
      if (granted === null || decided) return;
      decided = true;
      execution.recordNeverRan(granted, cause);
    };
    const begin = async (): Promise<void> => {
      const inspector = await this.#inspectors(asked.policy, performance.now() + DATABASE_BUDGET);
      const whole = { ...asked, command: { ...asked.command, variables: new Map(variables) }, inspector };
      await execution.recordStart(whole);
      granted = whole;
      if (socket.destroyed) neverRan('disconnected');
      else writeJsonLine(socket, { done: true } satisfies CommandReply);
    };
    begin().catch((error: unknown) => writeJsonLine(socket, failure(error)));
    socket.once('close', () => neverRan('disconnected'));
    return (value) => {
      const given = value as CommandOrder;
      if (given.order === 'never') neverRan(given.cause);
      if (given.order === 'shutdown') ending = true;
      if (given.order === 'run' && granted !== null && !decided) {
        decided = true;
        execution.run(granted, socket).catch(() => socket.destroy());
      }
      if (ending) execution.shutDown(asked.identifier);
    };
  }
}

const failure = (error: unknown): CommandReply => ({ failed: errorMessage(error) });
