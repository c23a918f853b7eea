import { describeScope, widerOffers } from '../../agent/approval-words.ts';
import type { AgentEvent, Preview } from '../../agent/types/index.ts';
import { pluralize } from '../../process/pluralize.ts';
import type { BlockOptions } from '../markdown/blocks.ts';
import { createMarkdownStream, type MarkdownStream } from '../markdown/stream.ts';
import { BLANK, type Line } from '../text/line.ts';
import { explicitText } from '../text/safe.ts';
import { subAgentNote, toolHeading } from '../view/activity.ts';
import { type App, columnsOf, print, printText } from './app.ts';
import { changedLines, outcomeLines, previewLines, resultLines, subjectOf, userLines } from './transcript.ts';

/** Shows what a session reports: finished lines go to the scrollback, the rest into the state. */
export interface TurnView {
  handle(event: AgentEvent): void;
  /** The part of the answer that is still being written. Called at every drawing. */
  live(): readonly Line[];
  /** Resolves once everything that was reported is shown. */
  idle(): Promise<void>;
}

/** Of a call's output, what may be shown while it runs. */
const KEPT_OUTPUT = 4000;
const KEPT_REASONING = 500;
/** Rows of thinking that stay above. */
const THINKING_ROWS = 20;

export function createTurnView(
  app: App,
  ended: (event: Extract<AgentEvent, { type: 'turn-ended' }>) => void,
): TurnView {
  const { state, libraries, screen } = app;
  let answer: MarkdownStream | null = null;
  let thinking = '';
  const started = new Map<string, number>();
  const options = (): BlockOptions => ({ columns: columnsOf(app), highlight: libraries.loaded.highlight });

  /** Everything of the answer that was not printed yet. */
  const flush = (): void => {
    if (answer === null) return;
    printApart();
    screen.print(answer.end(options()));
    answer = null;
  };

  /** The thinking so far, dimmed, as far as it is shown. */
  const flushThinking = (): void => {
    const text = thinking.trim();
    thinking = '';
    state.reasoning = '';
    if (text === '') return;
    printApart();
    const rows = text.split('\n');
    const shown = state.foldsThinking ? [] : rows.slice(0, THINKING_ROWS);
    const left = rows.length - shown.length;
    const more = state.foldsThinking
      ? [`Thought: ${pluralize(rows.length, 'line')}. Ctrl-T shows thinking, Ctrl-O all of it.`]
      : left > 0
        ? [`… ${pluralize(left, 'more line')}: Ctrl-O`]
        : [];
    printText(app, [...shown, ...more].join('\n'), { dim: true, italic: true });
  };

  /** The permission is decided without the argument that is being edited: the draft comes back. */
  const endEdit = (): void => {
    if (state.denial !== null && !state.approvals.includes(state.denial.approval)) {
      state.editor = state.denial.draft;
      state.denial = null;
    }
    if (state.argumentEdit === null || state.approvals.includes(state.argumentEdit.approval)) return;
    state.editor = state.argumentEdit.draft;
    state.argumentEdit = null;
  };

  /** The call that the last lines on the scrollback are about. */
  let latest: string | null = null;
  /** Something else is printed: what a call gives does not stand below its heading any more. */
  const printApart = (): void => {
    latest = null;
    if (state.tools.some(({ announced }) => announced === 'heading'))
      state.tools = state.tools.map((each) => (each.announced === 'heading' ? { ...each, announced: 'above' } : each));
  };

  const announce = (tool: string, target: string): void => {
    printApart();
    print(app, [toolHeading(tool, target)]);
  };

  /** What a call is about; that of a sub-agent's own call is not among the messages of this session. */
  const subjectIn = (id: string, target: string): string => {
    const calls = app
      .session()
      .state.messages.flatMap((one) => (one.role === 'assistant' ? (one.toolCalls ?? []) : []));
    const call = calls.find((one) => one.id === id);
    return (call === undefined ? '' : subjectOf(call)) || target;
  };

  const announceAsked = ({ tool, target, call, preview }: Omit<Asked, 'id' | 'reason'>): void => {
    announce(tool, preview?.kind === 'command' || target.value === tool ? '' : target.value);
    if (preview !== null) screen.print(previewLines(preview, columnsOf(app), libraries));
    const announced = preview?.kind === 'diff' ? 'change' : 'heading';
    latest = call;
    state.tools = state.tools.map((each) => (each.id === call ? { ...each, announced } : each));
  };

  const apply = (event: AgentEvent): void => {
    switch (event.type) {
      case 'tools-offered':
        break;
      case 'turn-started':
        state.reasoning = '';
        thinking = '';
        break;
      case 'steered': {
        flush();
        const at = state.steering.indexOf(event.message);
        state.steering = state.steering.filter((_, index) => index !== Math.max(0, at));
        printApart();
        print(app, userLines(event.message, columnsOf(app)));
        break;
      }
      case 'sub-agent':
        state.tools = state.tools.map((each) =>
          each.id === event.call
            ? {
                ...each,
                tokens: event.tokens,
                ...(event.doing === null ? {} : { doing: event.doing, calls: (each.calls ?? 0) + 1 }),
              }
            : each,
        );
        break;
      case 'text':
        flushThinking();
        if (answer === null) {
          if (libraries.loaded.lexer === null) throw new Error('The Markdown lexer is not loaded.');
          answer = createMarkdownStream(libraries.loaded.lexer);
          screen.print([BLANK]);
        }
        state.reasoning = '';
        answer.append(event.text);
        break;
      case 'reasoning':
        thinking += event.text;
        state.reasoning = state.foldsThinking ? 'Thinking' : (state.reasoning + event.text).slice(-KEPT_REASONING);
        break;
      case 'message-finished':
        flushThinking();
        flush();
        break;
      case 'tool-started':
        started.set(event.id, app.timers.now());
        state.tools = state.tools.map((each) => (each.id === event.id ? { ...each, runs: true } : each));
        break;
      case 'tool-proposed':
        flushThinking();
        flush();
        state.tools = [
          ...state.tools,
          { ...event, target: subjectIn(event.id, event.target), output: '', announced: 'no' },
        ];
        break;
      case 'permission-requested': {
        flush();
        state.hint = '';
        const { more = [] } = event;
        for (const asked of [event, ...more]) announceAsked(asked);
        const { id, call, tool, reason } = event;
        const rest = { arguments: event.arguments, preview: event.preview, subAgent: event.subAgent ?? null };
        const parent = state.tools.find((each) => each.id === call)?.parentCall;
        const task = state.tools.find((each) => each.id === parent)?.target;
        const others = more.map(({ preview, ...each }) => ({ tool: each.tool, target: each.target.value, preview }));
        const wider = more.length > 0 ? [] : widerOffers(event);
        state.approvals = [
          ...state.approvals,
          {
            id,
            call,
            tool,
            target: event.target.value,
            reason,
            ...rest,
            wider,
            more: others,
            ...(task === undefined ? {} : { task }),
          },
        ];
        if (app.device.screenReader) printText(app, spokenRequest(event, wider));
        break;
      }
      case 'permission-asked-each':
        state.approvals = state.approvals.filter(({ id }) => id !== event.id);
        break;
      case 'permission-decided':
        if (event.changed === true && event.decision === 'allow')
          print(app, changedLines(event.tool, event.target, columnsOf(app)));
        state.approvals = state.approvals.filter(({ id }) => id !== event.id);
        endEdit();
        break;
      case 'tool-output':
        state.tools = state.tools.map((each) =>
          each.id === event.id ? { ...each, output: (each.output + event.chunk).slice(-KEPT_OUTPUT) } : each,
        );
        break;
      case 'tool-finished': {
        flush();
        const tool = state.tools.find(({ id }) => id === event.id);
        const announced = tool?.announced ?? 'no';
        state.tools = state.tools.filter(({ id }) => id !== event.id);
        state.approvals = state.approvals.filter(({ call }) => call !== event.id);
        endEdit();
        const begin = started.get(event.id);
        if (begin !== undefined) state.durations = new Map(state.durations).set(event.id, app.timers.now() - begin);
        // A sub-agent's calls stand in its line; what was asked or denied is on the scrollback.
        if (tool?.parentCall !== undefined && announced === 'no' && event.outcome !== 'denied') break;
        // What was approved was shown then, and so was a question; showing the same again says nothing.
        const isDone = event.outcome === 'succeeded';
        if (isDone && (announced === 'change' || event.tool === 'AskQuestion')) break;
        if (latest !== event.id) announce(event.tool, `${tool?.target ?? event.target}${subAgentNote(tool)}`);
        printApart();
        if (event.tool !== 'Checklist')
          screen.print(resultLines(event.outcome, event.content, event.display, columnsOf(app), libraries));
        break;
      }
      case 'usage':
        state.inputTokens = event.total.inputTokens;
        state.outputTokens = event.total.outputTokens;
        state.contextTokens = event.contextTokens;
        // The engine may have said meanwhile what its model takes.
        state.contextLength = app.session().model.contextLength;
        state.cost = event.cost;
        break;
      case 'checklist':
        state.checklist = event.items;
        break;
      case 'status':
        state.status = event.text;
        break;
      case 'notice':
        flush();
        printApart();
        printText(app, event.text, event.level === 'warning' ? { color: 'yellow' } : { dim: true });
        break;
      case 'compacted':
        flush();
        printText(app, `The conversation was compacted: ${event.dropped} messages became a summary.`, { dim: true });
        printText(app, event.summary, { dim: true });
        break;
      case 'question':
        flush();
        printApart();
        state.hint = '';
        if (app.device.screenReader) printText(app, event.question);
        if (app.device.screenReader)
          for (const [index, each] of event.options.entries()) printText(app, `${index + 1}. ${each}`);
        state.questions = [...state.questions, { ...event, selected: 0 }];
        break;
      case 'mode-changed':
        state.mode = event.mode;
        break;
      case 'turn-ended':
        flush();
        // Calls that an interruption ended have no result: what they had printed is all that there is of them.
        for (const { tool, target, announced, output } of state.tools.filter((each) => each.output !== '')) {
          if (announced === 'no') announce(tool, target);
          screen.print(resultLines('succeeded', output, undefined, columnsOf(app), libraries));
        }
        flushThinking();
        started.clear();
        Object.assign(state, { tools: [], approvals: [], questions: [], reasoning: '', status: '' });
        endEdit();
        print(app, outcomeLines(event.outcome, columnsOf(app)));
        ended(event);
        break;
    }
    screen.refresh();
  };

  const inbox = createInbox<AgentEvent>((event) => {
    const { loaded } = libraries;
    if (event.type === 'text' && loaded.lexer === null) return libraries.lexer();
    if (loaded.highlight === null && event.type === 'text' && (answer?.hasCode === true || /```|~~~/.test(event.text)))
      return libraries.highlight();
    return previewsOf(event).some((preview) => preview?.kind === 'diff') && loaded.diff === null
      ? libraries.diff()
      : null;
  }, apply);

  return {
    handle: (event) => inbox.push(event),
    live() {
      if (answer === null) return [];
      const { finished, live } = answer.take(options(), liveRows(app));
      if (finished.length > 0) screen.print(finished);
      return app.device.screenReader ? [] : live;
    },
    idle: () => inbox.idle(),
  };
}

/** Rows that the answer may take before it is printed: the rest of the live part does not move. */
function liveRows(app: App): number {
  return Math.max(3, Math.floor(app.device.size().rows / 2));
}

type Asked = Pick<
  Extract<AgentEvent, { type: 'permission-requested' }>,
  'call' | 'tool' | 'target' | 'preview' | 'id' | 'reason'
>;

function previewsOf(event: AgentEvent): readonly (Preview | null | undefined)[] {
  if (event.type === 'permission-requested') return [event, ...(event.more ?? [])].map(({ preview }) => preview);
  return event.type === 'tool-finished' ? [event.display] : [];
}

/** The question for a screen reader. */
function spokenRequest(
  { tool, target, reason, more = [] }: Extract<AgentEvent, { type: 'permission-requested' }>,
  wider: readonly (readonly string[])[],
): string {
  const calls = [{ tool, target }, ...more].map((each) => `${each.tool} ${explicitText(each.target.value)}`);
  const end = 'n no and why, Esc no and stop';
  if (more.length > 0)
    return `Permission needed: allow ${calls.length} calls: ${calls.join('; ')}? ${reason} y yes to all, o one by one, ${end}`;
  const rules = wider.map((each) => `w instead for ${explicitText(each.join(', '))}, `).join('');
  return `Permission needed: allow ${calls.join('')}? ${reason} y yes, a yes and ${describeScope(tool)} again in this session, p yes and always in this project, ${rules}${end}, e edit`;
}

/** Handles events one after the other, each after what it needs is loaded. */
interface Inbox<Event> {
  push(event: Event): void;
  /** Resolves once everything that was pushed is handled. */
  idle(): Promise<void>;
}

/** `prepare` gives null where nothing has to be loaded: then the event is handled at once. */
export function createInbox<Event>(
  prepare: (event: Event) => Promise<unknown> | null,
  handle: (event: Event) => void,
): Inbox<Event> {
  const waiting: Event[] = [];
  let running: Promise<void> | null = null;

  const run = async (): Promise<void> => {
    for (let event = waiting.shift(); event !== undefined; event = waiting.shift()) {
      await prepare(event);
      handle(event);
    }
    running = null;
  };
  return {
    push(event) {
      if (running !== null) {
        waiting.push(event);
        return;
      }
      const loading = prepare(event);
      if (loading === null) {
        handle(event);
        return;
      }
      waiting.push(event);
      running = run();
    },
    async idle() {
      await running;
    },
  };
}
