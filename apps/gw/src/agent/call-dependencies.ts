import type { AgentDependencies, Hooks } from './dependencies.ts';
import type { Emit } from './emitter.ts';
import type { InTurn } from './in-turn.ts';
import type { Requests } from './requests.ts';
import type { Approval, ChecklistItem, Mode, Question, ToolCallSummary, ToolContext } from './types.ts';

/** Calls that the person was asked about together, by their identifiers; null where the person wants to be asked for each. */
export type DecidedCalls = ReadonlyMap<string, { readonly requestId: string; readonly approval: Decided | null }>;
export type Decided = Exclude<Approval, { readonly decision: 'each' }>;

/** What running calls needs of the session around it. */
export interface CallDependencies {
  readonly dependencies: AgentDependencies;
  readonly emit: Emit;
  readonly approvals: Requests<Approval>;
  readonly session: string;
  readonly parentSession: string | null;
  readonly project: string;
  readonly signal: AbortSignal;
  mode(): Mode;
  readonly setChecklist: (items: readonly ChecklistItem[]) => void;
  readonly ask: (question: Question) => Promise<string | null>;
  readonly hooks: Hooks | null;
  /** Aborted when the person puts the running command into the background. */
  toBackground(): AbortSignal;
  /** One question at a time, that of sub-agents included. */
  readonly inTurn: InTurn;
  readonly decided?: DecidedCalls;
  /** Absent in sub-agents. */
  readonly runAgent: ToolContext['runAgent'] | null;
  /** Keeps a summary, at once: what was done before a fault is known. */
  note(summary: ToolCallSummary): void;
}

/** What a tool gets in addition to its arguments. */
export function contextOf(around: CallDependencies, callId: string): ToolContext {
  const { clock, files, editor, snapshots, jobs, cwd, home, mask, interactive, permissions } = around.dependencies;
  return {
    project: around.project,
    cwd,
    ...(home === undefined ? {} : { home }),
    session: around.session,
    call: callId,
    toBackground: around.toBackground(),
    ...(around.parentSession === null ? {} : { parentSession: around.parentSession }),
    signal: around.signal,
    clock,
    files,
    ...(editor === undefined ? {} : { editor }),
    snapshots,
    jobs,
    planMode: around.mode() === 'plan',
    async keepsFromReading(path) {
      const target = { kind: 'path', value: path } as const;
      const read = await permissions.judge({ tool: 'Read', effect: 'read', target, args: {} }, around.mode());
      return read.decision !== 'allow' && read.rule.includes('(');
    },
    readsOnly: async (command) => (await permissions.readsOnly?.(command)) ?? false,
    output: (chunk) => around.emit({ type: 'tool-output', id: callId, chunk }),
    mask,
    setChecklist: around.setChecklist,
    setStatus: (text) => around.emit({ type: 'status', text }),
    warn: (text) => around.emit({ type: 'notice', level: 'warning', text }),
    ...(interactive ? { ask: around.ask } : {}),
    ...(around.runAgent == null ? {} : { runAgent: around.runAgent }),
  };
}
