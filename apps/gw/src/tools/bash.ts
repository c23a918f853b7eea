import type { Tool, ToolContext, ToolResult } from '../agent/types/index.ts';
import { pluralize } from '../process/pluralize.ts';
import * as s from '../schema/index.ts';
import { defineTool } from './define.ts';
import {
  type BackgroundJobs,
  COMMAND_CHARACTERS,
  type CommandEnd,
  CommandRefused,
  type CommandRunner,
  createKeptOutput,
  endOf,
  type RunningCommand,
} from './jobs.ts';

/** Seconds. */
const USUAL_TIME = 120;
const LONGEST_TIME = 3600;
/** Last lines of standard error that are shown first where a command failed. */
const SHOWN_ERRORS = 6;

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
    // What runs elsewhere changes nothing in the project. A look at a large project takes longer than most commands that read.
    const changes = where.location === null && !context.planMode && !(await context.readsOnly(command));
    if (changes) await context.snapshots.beforeCommand();
    const output = createKeptOutput();
    try {
      const errors = createKeptOutput();
      let sink = (text: string): void => {
        output.add(text);
        context.output(text);
      };
      const running = await where.start(request(command, context), (text, isError) => {
        sink(text);
        if (isError === true) errors.add(text);
      });
      const ended = await endWithin(running, seconds, context);
      if (ended === null) {
        const job = await jobs.add(command, async (add) => {
          add(output.take());
          sink = add;
          return running;
        });
        return {
          outcome: 'succeeded',
          content: `The user put the command into the background. It runs as job ${job.id}. BashOutput gives its output, BashStop ends it; it ends with the session.`,
        };
      }
      const { end, late } = ended;
      const text = output.take().replace(/\n$/, '');
      const how = late ? `ended after its time limit of ${pluralize(seconds, 'second')}` : endOf(end);
      const on = where.location === null ? '' : `; it ran on ${where.location}`;
      const content = `${text === '' ? '(no output)' : text}\n[${how}${on}]`;
      const isDone = !late && end.code === 0 && end.fault === undefined;
      const said = errors.take().trimEnd().split('\n').slice(-SHOWN_ERRORS).join('\n');
      // What went wrong first: the end of a long output may say nothing of it.
      const rest = text.endsWith(said) ? text.slice(0, text.length - said.length).trimEnd() : text;
      const shown =
        isDone || said === '' ? content : [`[${how}${on}]`, said, ...(rest === '' ? [] : ['', rest])].join('\n');
      return { outcome: isDone ? 'succeeded' : 'failed', content, display: { kind: 'text', text: shown } };
    } finally {
      if (changes) await context.snapshots.afterCommand();
    }
  }
}

/** Null where the person put it into the background. Waits for the end of a command, which is stopped at its time limit and where the turn is interrupted. */
async function endWithin(
  running: RunningCommand,
  seconds: number,
  { signal, toBackground }: Pick<ToolContext, 'signal' | 'toBackground'>,
): Promise<{ readonly end: CommandEnd; readonly late: boolean } | null> {
  let late = false;
  const moved = Promise.withResolvers<null>();
  const move = (): void => moved.resolve(null);
  toBackground?.addEventListener('abort', move, { once: true });
  const stop = (): void => void running.stop().catch(() => undefined);
  const timer = setTimeout(() => {
    late = true;
    stop();
  }, seconds * 1000);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    const end = await Promise.race([running.ended, moved.promise]);
    signal.throwIfAborted();
    if (end === null) return null;
    return { end, late };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    toBackground?.removeEventListener('abort', move);
  }
}

const jobSchema = s.object({ job: s.stringOrNumber().describe('Identifier of the job, as Bash gave it.') });

function noSuchJob(jobs: BackgroundJobs, id: string): { outcome: 'failed'; content: string } {
  const known = jobs.list().map((job) => job.id);
  return {
    outcome: 'failed',
    content: `There is no job ${id}. ${known.length === 0 ? 'No job was started.' : `The jobs are: ${known.join(', ')}.`}`,
  };
}

export function createBashOutput(jobs: BackgroundJobs): Tool {
  return defineTool({
    name: 'BashOutput',
    description: 'Gives the output of a background job since the last call, and whether it still runs.',
    schema: jobSchema,
    effect: 'none',
    target: ({ job }) => ({ kind: 'command', value: `job ${job}` }),
    async run({ job: id }) {
      const job = jobs.find(id);
      if (job === null) return noSuchJob(jobs, id);
      const text = job.output.take().replace(/\n$/, '');
      return {
        outcome: 'succeeded',
        content: `${text === '' ? '(no new output)' : text}\n[${job.end === null ? 'still running' : endOf(job.end)}]`,
      };
    },
  });
}

export function createBashStop(jobs: BackgroundJobs): Tool {
  return defineTool({
    name: 'BashStop',
    description: 'Ends a background job and everything it started.',
    schema: jobSchema,
    effect: 'none',
    target: ({ job }) => ({ kind: 'command', value: `job ${job}` }),
    async run({ job: id }) {
      const job = jobs.find(id);
      if (job === null) return noSuchJob(jobs, id);
      if (job.end !== null)
        return { outcome: 'succeeded', content: `Job ${job.id} had ended already (${endOf(job.end)}).` };
      await job.stop();
      return { outcome: 'succeeded', content: `Job ${job.id} was stopped.` };
    },
  });
}
