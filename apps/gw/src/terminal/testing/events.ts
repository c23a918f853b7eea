import type { AgentEvent } from '../../agent/types/index.ts';

type PermissionRequested = Extract<AgentEvent, { type: 'permission-requested' }>;
type ToolFinished = Extract<AgentEvent, { type: 'tool-finished' }>;

/** A request to run `echo one`, unless the test says otherwise. */
export function permission(change: Partial<PermissionRequested> = {}): PermissionRequested {
  return {
    type: 'permission-requested',
    id: 'p1',
    call: '1',
    tool: 'Bash',
    target: { kind: 'command', value: 'echo one' },
    arguments: '{"command":"echo one","timeout_seconds":5}',
    preview: { kind: 'command', command: 'echo one' },
    reason: 'Bash asks by default.',
    ...change,
  };
}

/** The result of `make`, unless the test says otherwise. */
export function finished(change: Partial<ToolFinished> = {}): ToolFinished {
  return {
    type: 'tool-finished',
    id: '1',
    tool: 'Bash',
    target: 'make',
    outcome: 'succeeded',
    content: 'made',
    ...change,
  };
}
