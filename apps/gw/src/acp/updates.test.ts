import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentEvent, TurnOutcome } from '../agent/types/index.ts';
import { createUpdates } from './updates.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function world(contextLength: number | null = 1000) {
  const sent: SessionUpdate[] = [];
  const notices: string[] = [];
  let calls = 0;
  const updates = createUpdates({
    cwd: '/project',
    newCallId: () => `own-${(calls += 1)}`,
    contextLength: () => contextLength,
    notice: (text, level) => notices.push(`${level}: ${text}`),
    send: (update) => sent.push(update),
  });
  const report = (...events: readonly AgentEvent[]): void => events.forEach((event) => updates.handle(event));
  /** What was sent since the last call. */
  const take = (): SessionUpdate[] => sent.splice(0);
  return { updates, report, take, notices };
}
const proposed = (id: string, tool = 'Bash', target = 'make'): AgentEvent => ({
  type: 'tool-proposed',
  id,
  tool,
  target,
});
const finished = (
  id: string,
  content = 'done',
  tool = 'Bash',
  outcome: 'succeeded' | 'failed' | 'denied' = 'succeeded',
) => ({ type: 'tool-finished', id, tool, target: 'make', outcome, content }) as const;
const output = (id: string, chunk: string): AgentEvent => ({ type: 'tool-output', id, chunk });
const ENDED: AgentEvent = { type: 'turn-ended', outcome: {} as TurnOutcome };
const textsOf = (updates: readonly SessionUpdate[]): string[] =>
  updates.map((update) => /"text":"((?:[^"\\]|\\.)*)"/.exec(JSON.stringify(update))?.[1] ?? '');

describe('a call in the editor', () => {
  it('has an identifier of its own, also where the model uses one twice', () => {
    const { updates, report, take } = world();
    report(proposed('call_1'), finished('call_1'), proposed('call_1'));
    expect(updates.callOf('call_1')).toBe('own-2');
    report(finished('call_1', 'again'));
    const shown = take().map((update) => [update.sessionUpdate, 'toolCallId' in update ? update.toolCallId : '']);
    expect(shown).toEqual([
      ['tool_call', 'own-1'],
      ['tool_call_update', 'own-1'],
      ['tool_call', 'own-2'],
      ['tool_call_update', 'own-2'],
    ]);
    expect(updates.callOf('call_1')).toBeNull();
  });

  it.each([
    ['succeeded', 'completed'],
    ['failed', 'failed'],
    ['denied', 'failed'],
  ] as const)('that %s is %s', (outcome, status) => {
    const { report, take } = world();
    report(proposed('1'), finished('1', 'text', 'Bash', outcome));
    expect(take().at(-1)).toMatchObject({ status });
  });

  it('is announced with its end where nobody proposed it', () => {
    const { report, take } = world();
    report(finished('1'));
    expect(take().map(({ sessionUpdate }) => sessionUpdate)).toEqual(['tool_call', 'tool_call_update']);
  });

  it('shows a change as a difference, with the absolute path', () => {
    const { report, take } = world();
    const display = { kind: 'diff', path: 'a.txt', before: null, after: 'new\n' } as const;
    report(proposed('1', 'Write', 'a.txt'), { ...finished('1', 'made', 'Write'), display });
    expect(take()).toMatchObject([
      { kind: 'edit', locations: [{ path: '/project/a.txt' }] },
      { content: [{ type: 'diff', path: '/project/a.txt', oldText: null, newText: 'new\n' }] },
    ]);
  });

  it('that an interruption ended is failed, and nothing comes after it', () => {
    const { updates, report, take } = world();
    report(proposed('1'), proposed('2', 'Read'), output('1', 'partial'), ENDED);
    expect(take().slice(2)).toMatchObject([
      { toolCallId: 'own-1', status: 'failed' },
      { toolCallId: 'own-2', status: 'failed' },
    ]);
    vi.advanceTimersByTime(10_000);
    expect([take(), updates.callOf('1'), vi.getTimerCount()]).toEqual([[], null, 0]);
  });

  it('of the checklist is shown as the plan alone', () => {
    const { report, take } = world();
    const items = [
      { text: 'one', state: 'done' },
      { text: 'two', state: 'doing' },
      { text: 'three', state: 'open' },
    ] as const;
    report(proposed('1', 'Checklist'), { type: 'checklist', items }, finished('1', 'ok', 'Checklist'), ENDED);
    const entries = ['completed', 'in_progress', 'pending'].map((status) => expect.objectContaining({ status }));
    expect(take()).toEqual([{ sessionUpdate: 'plan', entries }]);
  });
});

describe('the output of a running call', () => {
  it('is sent at most every 150 ms, with all that came', () => {
    const { report, take } = world();
    report(proposed('1'));
    take();
    for (let at = 0; at < 100; at += 1) report(output('1', `${at} `));
    expect(take()).toEqual([]);
    vi.advanceTimersByTime(150);
    expect(textsOf(take())).toEqual([expect.stringMatching(/0 1 2 .*98 99 /)]);
    vi.advanceTimersByTime(10_000);
    expect(take()).toEqual([]);
  });

  it('is not sent after the result', () => {
    const { report, take } = world();
    report(proposed('1'), output('1', 'partial'), finished('1', 'whole'));
    take();
    vi.advanceTimersByTime(10_000);
    expect(take()).toEqual([]);
  });

  it('is bounded, keeps the end, and has no half of a character', () => {
    const { report, take } = world();
    report(proposed('1'));
    take();
    for (let at = 0; at < 50; at += 1) report(output('1', `x${'🔑'.repeat(500)}`));
    report(output('1', 'END'));
    vi.advanceTimersByTime(150);
    const [text = ''] = textsOf(take());
    expect([text.length < 8100, text.includes('END'), text.isWellFormed()]).toEqual([true, true, true]);
  });

  it('of a call that is not known is dropped', () => {
    const { report, take } = world();
    report(output('unknown', 'x'));
    vi.advanceTimersByTime(150);
    expect(take()).toEqual([]);
  });

  it('is left to the terminal of the editor, where one shows it', () => {
    const { updates, report, take } = world();
    updates.showTerminal('early');
    report(proposed('1'));
    updates.showTerminal('terminal-1');
    report(output('1', 'x'), finished('1', 'result'));
    vi.advanceTimersByTime(150);
    const terminal = [{ type: 'terminal', terminalId: 'terminal-1' }];
    expect(take().slice(1)).toMatchObject([{ content: terminal }, { status: 'completed', content: terminal }]);
  });
});

describe('what is not a call', () => {
  it('is sent as it comes: answer, reasoning and usage', () => {
    const { report, take, notices } = world();
    report(
      { type: 'text', text: 'answer' },
      { type: 'reasoning', text: 'thought' },
      { type: 'usage', total: { inputTokens: 1, outputTokens: 1, calls: 1 }, contextTokens: 42, cost: null },
      { type: 'notice', level: 'warning', text: 'masked' },
      { type: 'compacted', dropped: 3, summary: 'long' },
    );
    expect(take().map(({ sessionUpdate }) => sessionUpdate)).toEqual([
      'agent_message_chunk',
      'agent_thought_chunk',
      'usage_update',
    ]);
    expect(notices).toEqual(['warning: masked', 'info: 3 earlier messages were summarized to make room.']);
  });

  it('has no usage where the length of the context is not known', () => {
    const { report, take } = world(null);
    report({ type: 'usage', total: { inputTokens: 1, outputTokens: 1, calls: 1 }, contextTokens: 42, cost: null });
    expect(take()).toEqual([]);
  });
});
