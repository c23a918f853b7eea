import type { Emit } from './emitter.ts';
import type { AgentSession, ToolCallSummary, ToolResult, Usage } from './types.ts';

/**
 * Runs one prompt in a sub-agent's session. Its calls, permissions and notices appear in the parent's events; its
 * conversation stays its own, and only the answer goes back.
 */
export async function runChild(
  child: AgentSession,
  prompt: string,
  { signal, emit, call }: { readonly signal: AbortSignal; readonly emit: Emit; readonly call: string },
): Promise<{ readonly result: ToolResult; readonly toolCalls: readonly ToolCallSummary[]; readonly usage: Usage }> {
  const session = child.state.id;
  let tokens = 0;
  const leave = child.subscribe((event) => {
    switch (event.type) {
      case 'permission-requested':
        emit({ ...event, subAgent: session });
        break;
      case 'tool-proposed':
        emit({ ...event, parentCall: call });
        emit({ type: 'sub-agent', call, doing: `${event.tool} ${event.target}`.trim(), tokens });
        break;
      case 'usage':
        tokens = event.total.inputTokens + event.total.outputTokens;
        emit({ type: 'sub-agent', call, doing: null, tokens });
        break;
      case 'permission-decided':
      case 'tool-started':
      case 'tool-output':
      case 'tool-finished':
      case 'notice':
      case 'question':
        emit(event);
        break;
      default: // its words, usage and turns are its own
    }
  });
  const interrupt = (): void => child.interrupt();
  signal.addEventListener('abort', interrupt, { once: true });
  try {
    signal.throwIfAborted();
    const outcome = await child.submit(prompt);
    signal.throwIfAborted();
    const { toolCalls, usage } = outcome;
    if (outcome.status === 'completed') {
      const content = outcome.answer === '' ? 'The sub-agent ended without an answer.' : outcome.answer;
      return { result: { outcome: 'succeeded', content }, toolCalls, usage };
    }
    const why = outcome.error?.message ?? 'It ended early.';
    const content = `The sub-agent did not finish: ${why}${outcome.answer === '' ? '' : `\nIts last words: ${outcome.answer}`}`;
    return { result: { outcome: 'failed', content }, toolCalls, usage };
  } finally {
    signal.removeEventListener('abort', interrupt);
    leave();
    await child.close();
  }
}
