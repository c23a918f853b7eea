import { whyDenied } from '../../agent/approval-words.ts';
import { forkState } from '../../agent/state.ts';
import type { AgentEvent, AgentSession, ToolCallSummary, TurnOutcome } from '../../agent/types/index.ts';
import { openSession } from '../../compose/open-session.ts';
import { openWorkspace, readSavedState } from '../../compose/workspace.ts';
import type { Context } from '../../process/context.ts';
import { WrongUsage } from '../../process/fault.ts';
import { pluralize } from '../../process/pluralize.ts';
import { maskLine } from '../../redaction/mask-line.ts';
import { safeText } from '../../terminal/text/safe.ts';
import { EXIT } from '../command/command.ts';
import { readImages } from './images.ts';
import type { MainOptions } from './options.ts';

/** The events of `--format stream-json`, one JSON object a line; the last is the envelope of `--format json`. */
function createEventLines(session: { readonly id: string; readonly model: string }, now: () => Date) {
  const lineOf = (type: string, members: object): string =>
    `${JSON.stringify({ version: 1, type, at: now().toISOString(), ...members })}\n`;
  /** Lines that wait for the first one, which names the tools: they are known with the first call of the model. */
  let waiting: string[] | null = [];
  const begin = (tools: readonly string[]): string => {
    const lines = [lineOf('session', { ...session, tools }), ...(waiting ?? [])];
    waiting = null;
    return lines.join('');
  };
  return {
    /** What is to be written of an event; empty where nothing is. */
    event(event: AgentEvent): string {
      if (event.type === 'tools-offered') return waiting === null ? '' : begin(event.names);
      const line = lineFor(event, lineOf);
      if (waiting === null) return line;
      if (line !== '') waiting.push(line);
      return '';
    },
    result: (envelope: object): string => (waiting === null ? '' : begin([])) + lineOf('result', envelope),
  };
}

function lineFor(event: AgentEvent, lineOf: (type: string, members: object) => string): string {
  switch (event.type) {
    case 'text':
      return lineOf('text', { text: event.text });
    case 'reasoning':
      return lineOf('thinking', { text: event.text });
    case 'tool-proposed':
      return toolLine(event, 'proposed');
    case 'tool-started':
      return toolLine(event, 'running');
    case 'tool-finished':
      return toolLine(event, event.outcome);
    case 'usage':
      return lineOf('usage', { ...event.total, contextTokens: event.contextTokens, cost: event.cost });
    case 'notice':
      return lineOf('notice', { level: event.level, text: event.text });
    case 'compacted':
      return lineOf('notice', {
        level: 'info',
        text: `${event.dropped} earlier messages were summarized to make room.`,
      });
    default:
      return '';
  }

  function toolLine(
    of: { readonly id: string; readonly tool: string; readonly target: string; readonly authorizedBy?: string },
    state: string,
  ): string {
    const by = of.authorizedBy === undefined ? {} : { authorizedBy: of.authorizedBy };
    return lineOf('tool', { id: of.id, tool: of.tool, target: of.target, state, ...by });
  }
}

/** Tags that models wrap their thinking in. Other tags are part of the answer: types, markup, code. */
const MARKERS = 'think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis|system-reminder';
const BLOCK = new RegExp(`^[ \\t]*<(${MARKERS})>[\\s\\S]*?(?:</\\1>|$(?![\\s\\S]))`, 'gim');
const FENCE = /^(?: {0,3})(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\1[`~]*[ \t]*$|$(?![\s\S]))/gm;

/**
 * An answer without markers such as `<think>…</think>` and their content, without runs of blanks and of blank lines. Fenced
 * code does not change.
 */
export function silence(answer: string): string {
  const parts: string[] = [];
  let from = 0;
  const text = answer.replace(BLOCK, (block: string, _name: string, at: number) => (isFenced(answer, at) ? block : ''));
  for (const fence of text.matchAll(FENCE)) {
    parts.push(squeeze(text.slice(from, fence.index)), fence[0]);
    from = fence.index + fence[0].length;
  }
  parts.push(squeeze(text.slice(from)));
  return parts.join('').trim();
}

function isFenced(text: string, at: number): boolean {
  return [...text.matchAll(FENCE)].some((fence) => fence.index <= at && at < fence.index + fence[0].length);
}

/** Leading indentation is kept: it has a meaning in Markdown. */
function squeeze(text: string): string {
  return text
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll(/(\S)[ \t]{2,}/g, '$1 ')
    .replaceAll(/\n{3,}/g, '\n\n');
}

/** `gw -p`: one message, its answer on standard output, everything else on standard error. */
export async function runHeadless(context: Context, options: MainOptions): Promise<number> {
  const { terminal } = context;
  const log = (line: string): void => terminal.report(`${maskLine(`gw: ${line}`)}\n`);
  const workspace = await openWorkspace(context, options);
  const saved = await readSavedState(workspace, options, log);
  const text = await workspace.firstMessage(await readInput(terminal, options, log), options.prompt);
  const images = await readImages(context, options.images);
  if (text === null && images.length === 0)
    throw new WrongUsage('-p needs a prompt: give it as an argument, with --prompt, or on standard input.');
  const message = images.length === 0 ? (text ?? '') : [{ type: 'text' as const, text: text ?? '' }, ...images];
  const state = saved === null || options.fork === null ? saved : forkState(saved, context.now());
  const session = await openSession(workspace, {
    state,
    interactive: false,
    mode: options.mode,
    once: { mostRounds: options.maxTurns },
  });
  for (const line of workspace.notices()) log(line);
  session.subscribe((event) => report(event, options.verbose, log));
  const lines =
    options.format === 'stream-json'
      ? createEventLines({ id: session.state.id, model: session.model.name }, context.now)
      : null;
  let written: Promise<void> = Promise.resolve();
  const write = (line: string): void => {
    if (line !== '') written = written.then(() => terminal.write(line));
  };
  if (lines !== null) session.subscribe((event) => write(lines.event(event)));
  const interrupted = context.interrupted();
  const interrupt = (): void => session.interrupt();
  interrupted.addEventListener('abort', interrupt, { once: true });
  let outcome: TurnOutcome;
  try {
    const running = session.submit(message);
    if (interrupted.aborted) interrupt();
    const ended = await running;
    outcome = options.silent ? { ...ended, answer: silence(ended.answer) } : ended;
  } finally {
    interrupted.removeEventListener('abort', interrupt);
    await session.close();
  }
  const code = exitCodeOf(outcome);
  if (lines !== null) {
    write(lines.result(envelopeOf(session, outcome, code)));
    await written;
  } else if (options.format === 'json') await terminal.write(`${JSON.stringify(envelopeOf(session, outcome, code))}\n`);
  else {
    // A terminal interprets control characters of a model; a file and a pipe get the raw text.
    const answer = terminal.output ? safeText(outcome.answer) : outcome.answer;
    if (outcome.status === 'completed' || answer !== '') await terminal.write(`${answer.replace(/\n$/, '')}\n`);
  }
  if (outcome.error !== null) log(outcome.error.message);
  return code;
}

/** Milliseconds that an open standard input is waited for where there is a prompt already. */
const PATIENCE_MS = 1000;

async function readInput(
  terminal: Context['terminal'],
  { prompt, prompts, images, agent }: MainOptions,
  log: (line: string) => void,
): Promise<string> {
  if (prompt === null && prompts.length === 0 && images.length === 0 && agent === null) return terminal.readAll();
  const piped = await terminal.readAll(PATIENCE_MS);
  if (piped === null) log('standard input is open, but sent nothing for one second: going on without it.');
  return piped ?? '';
}

/** Lines for standard error: what was denied, what the person should know, and details with --verbose. */
function report(event: AgentEvent, verbose: boolean, log: (line: string) => void): void {
  if (event.type === 'notice') {
    if (event.level === 'warning' || verbose) log(event.text);
  } else if (event.type === 'tool-finished' && event.outcome === 'denied') {
    log(`${event.tool} ${event.target} was denied: ${whyDenied(event.content).split('\n')[0]}`);
  } else if (event.type === 'compacted') {
    log(`${event.dropped} earlier messages were summarized to make room.`);
  } else if (verbose && event.type === 'tool-finished') {
    log(`${event.tool} ${event.target}: ${event.outcome}`);
  } else if (verbose && event.type === 'usage') {
    log(
      `${event.total.inputTokens} input and ${event.total.outputTokens} output tokens in ${pluralize(event.total.calls, 'call')}`,
    );
  }
}

const EXIT_CODES: Readonly<Record<TurnOutcome['status'], number>> = {
  completed: EXIT.done,
  interrupted: EXIT.interrupted,
  refused: EXIT.refused,
  failed: EXIT.failed,
};

function exitCodeOf({ status, toolCalls }: TurnOutcome): number {
  const denied = status === 'completed' && toolCalls.some(({ outcome }) => outcome === 'denied');
  return denied ? EXIT.denied : EXIT_CODES[status];
}

/** The envelope of `--format json` (client-5). */
function envelopeOf(session: AgentSession, outcome: TurnOutcome, code: number): object {
  const { answer, usage, toolCalls, error } = outcome;
  return {
    version: 1,
    status: code === EXIT.denied ? 'denied' : outcome.status,
    answer,
    session: session.state.id,
    model: session.model.name,
    usage,
    toolCalls: toolCalls.map(({ tool, target, outcome, authorizedBy }) => ({ tool, target, outcome, authorizedBy })),
    denied: toolCalls.filter(({ outcome }) => outcome === 'denied').map(toDenied),
    error: error === null ? null : { message: error.message, status: error.status },
  };
}

function toDenied({ tool, target, reason }: ToolCallSummary): object {
  return { tool, target, reason: reason ?? 'It was denied.' };
}
