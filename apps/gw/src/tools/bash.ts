import type { Tool, ToolContext, ToolResult } from '../agent/types.ts';
import { pluralize } from '../process/pluralize.ts';
import * as s from '../schema/index.ts';
import { defineTool } from './definition/define.ts';
import { COMMAND_CHARACTERS } from './definition/limits.ts';
import { type BackgroundJobs, endOf } from './shell/jobs.ts';
import { createKeptOutput } from './shell/kept-output.ts';
import { CommandRefused, type CommandRunner, type RunningCommand } from './shell/types.ts';

/** Seconds. */
const USUAL_TIME = 120;
const LONGEST_TIME = 3600;

export function createBash(jobs: BackgroundJobs, runner: () => Promise<CommandRunner>): Tool {
  return defineTool({
    name: 'Bash',
    description: `Runs a Bash command in the working directory, without a terminal or input, and gives its output and exit code. Each call begins there with a fresh shell. Output beyond ${COMMAND_CHARACTERS} characters is cut in the middle. A background command keeps running: BashOutput gives its output, BashStop ends it. Prefer Read, List, Search and Edit for files.`,
    schema: s.object({
      command: s.string({ min: 1 }).describe('The command line.'),
      timeout_seconds: s
        .number({ moreThan: 0, max: LONGEST_TIME })
        .optional()
        .describe(`After this time the command is ended; ${USUAL_TIME} by default, at most ${LONGEST_TIME}.`),
      background: s.boolean().optional().describe('Start it and return at once.'),
    }),
    effect: 'execute',
    target: ({ command }) => ({ kind: 'command', value: command }),
    async preview({ command, background }) {
      const { location } = await runner();
      const where = location === null ? '' : ` on ${location}`;
      const note = `${background === true ? ' in the background' : ''}${where}`;
      return { kind: 'command', command, ...(note === '' ? {} : { note: `runs${note}` }) };
    },
    async run({ command, timeout_seconds = USUAL_TIME, background }, context) {
      try {
        if (background === true) return await startJob(command, context);
        return await runToEnd(command, timeout_seconds, context);
      } catch (error) {
        if (!(error instanceof CommandRefused)) throw error;
        context.warn(error.message);
        return { outcome: 'failed', content: error.message };
      }
    },
  });

  function request(command: string, { session, parentSession, cwd, planMode }: ToolContext) {
    return {
      command,
      session,
      ...(parentSession === undefined ? {} : { parentSession }),
      directory: cwd,
      readOnly: planMode,
    };
  }

  async function startJob(command: string, context: ToolContext): Promise<ToolResult> {
    const where = await runner();
    if (where.location === null) await context.snapshots.beforeCommand();
    const job = await jobs.add(command, (output) =>
      where.start({ ...request(command, context), background: true }, output),
    );
    const on = where.location === null ? '' : ` on ${where.location}`;
    return {
      outcome: 'succeeded',
      content: `The command runs${on} as job ${job.id}. BashOutput gives its output, BashStop ends it; it ends with the session.`,
    };
  }

  async function runToEnd(command: string, seconds: number, context: ToolContext): Promise<ToolResult> {
    const where = await runner();
    // What runs elsewhere changes nothing in the project.
    const changes = where.location === null && !context.planMode;
    if (changes) await context.snapshots.beforeCommand();
    const output = createKeptOutput();
    try {
      const running = await where.start(request(command, context), (text) => {
        output.add(text);
        context.output(text);
      });
      const { end, late } = await endWithin(running, seconds, context.signal);
      const text = output.take().replace(/\n$/, '');
      const how = late ? `ended after its time limit of ${pluralize(seconds, 'second')}` : endOf(end);
      const on = where.location === null ? '' : `; it ran on ${where.location}`;
      const content = `${text === '' ? '(no output)' : text}\n[${how}${on}]`;
      return {
        outcome: !late && end.code === 0 && end.fault === undefined ? 'succeeded' : 'failed',
        content,
        display: { kind: 'text', text: content },
      };
    } finally {
      if (changes) await context.snapshots.afterCommand();
    }
  }
}

/** Waits for the end of a command, which is stopped at its time limit and where the turn is interrupted. */
async function endWithin(running: RunningCommand, seconds: number, signal: AbortSignal) {
  let late = false;
  const stop = (): void => void running.stop().catch(() => undefined);
  const timer = setTimeout(() => {
    late = true;
    stop();
  }, seconds * 1000);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    const end = await running.ended;
    signal.throwIfAborted();
    return { end, late };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
