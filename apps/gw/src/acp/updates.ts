import type { PlanEntry, SessionUpdate, ToolCallContent } from '@agentclientprotocol/sdk';
import type { AgentEvent, ChecklistItem } from '../agent/types.ts';
import { contentOf, headingOf, output } from './tool-call.ts';

/** Milliseconds between two updates of a running call's output. */
const OUTPUT_MS = 150;
const KEPT_OUTPUT = 8000;

export interface Updates {
  handle(event: AgentEvent): void;
  /** The identifier by which the editor knows a call that is running. */
  callOf(id: string): string | null;
  /** The same for the latest running call of a tool. */
  latestOf(tool: string): string | null;
  /** Shows a terminal of the editor in the Bash call that is running. */
  showTerminal(terminal: string): void;
}

interface Running {
  /** As the model named it: not unique in a session. */
  readonly id: string;
  readonly toolCallId: string;
  readonly tool: string;
  output: string;
  timer: NodeJS.Timeout | null;
  terminal: string | null;
}

/** Turns the events of a session into updates of the protocol, in order. */
export function createUpdates(of: {
  readonly cwd: string;
  /** Unlike any other of the session, also of earlier connections. */
  newCallId(): string;
  contextLength(): number | null;
  /** What the person should know, apart from the answer. */
  notice(text: string, level: 'info' | 'warning'): void;
  readonly send: (update: SessionUpdate) => void;
}): Updates {
  const { cwd, send } = of;
  const running: Running[] = [];

  const find = (id: string): Running | undefined => running.findLast((one) => one.id === id);

  function propose(id: string, tool: string, target: string): Running {
    const call: Running = { id, toolCallId: of.newCallId(), tool, output: '', timer: null, terminal: null };
    running.push(call);
    // The plan shows the checklist.
    if (tool !== 'Checklist')
      send({
        sessionUpdate: 'tool_call',
        toolCallId: call.toolCallId,
        ...headingOf(tool, target, cwd),
        status: 'in_progress',
      });
    return call;
  }

  function showOutput(call: Running, chunk: string): void {
    call.output = (call.output + chunk).slice(-KEPT_OUTPUT);
    if (call.terminal !== null) return;
    call.timer ??= setTimeout(() => {
      call.timer = null;
      const content = [output(call.output.toWellFormed())];
      send({ sessionUpdate: 'tool_call_update', toolCallId: call.toolCallId, content });
    }, OUTPUT_MS);
  }

  function finish(event: Extract<AgentEvent, { type: 'tool-finished' }>): void {
    const call = find(event.id) ?? propose(event.id, event.tool, event.target);
    running.splice(running.indexOf(call), 1);
    if (call.timer !== null) clearTimeout(call.timer);
    if (call.tool === 'Checklist') return;
    const shown = event.display === undefined ? [] : contentOf(event.display, cwd);
    const content: ToolCallContent[] =
      call.terminal !== null
        ? [{ type: 'terminal', terminalId: call.terminal }]
        : shown.length > 0
          ? shown
          : [output(event.content)];
    const status = event.outcome === 'succeeded' ? ('completed' as const) : ('failed' as const);
    send({ sessionUpdate: 'tool_call_update', toolCallId: call.toolCallId, status, content });
  }

  return {
    callOf: (id) => find(id)?.toolCallId ?? null,
    latestOf: (tool) => running.findLast((one) => one.tool === tool)?.toolCallId ?? null,
    showTerminal(terminal) {
      const call = running.findLast(({ tool }) => tool === 'Bash');
      if (call === undefined) return;
      call.terminal = terminal;
      const content: ToolCallContent[] = [{ type: 'terminal', terminalId: terminal }];
      send({ sessionUpdate: 'tool_call_update', toolCallId: call.toolCallId, content });
    },
    handle(event) {
      switch (event.type) {
        case 'text':
          send({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: event.text } });
          break;
        case 'reasoning':
          send({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: event.text } });
          break;
        case 'tool-proposed':
          propose(event.id, event.tool, event.target);
          break;
        case 'tool-output': {
          const call = find(event.id);
          if (call !== undefined) showOutput(call, event.chunk);
          break;
        }
        case 'tool-finished':
          finish(event);
          break;
        case 'checklist':
          send(planOf(event.items));
          break;
        case 'usage': {
          const size = of.contextLength();
          if (size !== null) send({ sessionUpdate: 'usage_update', used: event.contextTokens, size });
          break;
        }
        case 'notice':
          of.notice(event.text, event.level);
          break;
        case 'compacted':
          of.notice(`${event.dropped} earlier messages were summarized to make room.`, 'info');
          break;
        case 'turn-ended':
          endAll();
          break;
        default: // permissions, questions, modes and titles go their own way
      }
    },
  };

  /** Calls that an interruption ended have no result. */
  function endAll(): void {
    for (const { timer, toolCallId, tool } of running.splice(0)) {
      if (timer !== null) clearTimeout(timer);
      if (tool !== 'Checklist') send({ sessionUpdate: 'tool_call_update', toolCallId, status: 'failed' });
    }
  }
}

const STATUS = { open: 'pending', doing: 'in_progress', done: 'completed' } as const;

export function planOf(items: readonly ChecklistItem[]): SessionUpdate {
  const entries = items.map(
    ({ text, state }): PlanEntry => ({ content: text, priority: 'medium', status: STATUS[state] }),
  );
  return { sessionUpdate: 'plan', entries };
}
