import type { AgentContext, TerminalHandle } from '@agentclientprotocol/sdk';
import { errorMessage } from '@gateway/contract/error-code';
import type { LocalCommands } from '../tools/shell/create-runner.ts';
import type { CommandEnd, CommandRunner, RunningCommand } from '../tools/shell/types.ts';
import { UNATTENDED } from '../tools/shell/variables.ts';

/** The beginning of longer outputs is lost; the model gets fewer characters than this. */
const OUTPUT_BYTES = 200_000;

/**
 * Runs commands in the editor's terminals: in the same sandbox and without the same variables as on this machine.
 * Background commands run without a terminal, so that their output can be read while they run.
 */
export function editorRunner(
  client: AgentContext,
  sessionId: string,
  local: LocalCommands,
  show: (terminal: string) => void,
): CommandRunner {
  return {
    location: null,
    async start(request, output): Promise<RunningCommand> {
      if (request.background === true) return local.runner.start(request, output);
      const [command, ...args] = await local.lineOf(request);
      let terminal: TerminalHandle;
      try {
        terminal = await client.createTerminal({
          sessionId,
          command,
          args,
          cwd: request.directory,
          env: Object.entries(UNATTENDED).map(([name, value]) => ({ name, value })),
          outputByteLimit: OUTPUT_BYTES,
        });
      } catch {
        return local.runner.start(request, output);
      }
      show(terminal.id);
      const ended = endOf(terminal, output);
      return {
        ended,
        async stop() {
          await terminal.kill();
          await ended;
        },
      };
    },
  };
}

async function endOf(terminal: TerminalHandle, output: (text: string) => void): Promise<CommandEnd> {
  try {
    const { exitCode, signal } = await terminal.waitForExit();
    const shown = await terminal.currentOutput();
    if (shown.truncated) output('[the beginning of the output was left out]\n');
    output(shown.output.replaceAll('\r\n', '\n'));
    return { code: exitCode ?? null, signal: signal ?? null };
  } catch (error) {
    const why = errorMessage(error);
    return { code: null, signal: null, fault: `the editor's terminal failed: ${why}` };
  } finally {
    await terminal.release().catch(() => undefined);
  }
}
