import { errorMessage } from '@gateway/contract/error-code';
import { deniedResult } from './approval-scope.ts';
import { readArguments } from './call-arguments.ts';
import { type CallDependencies, contextOf } from './call-dependencies.ts';
import { judge } from './judge-call.ts';
import {
  type CallOutcome,
  ModelRefused,
  type PermissionDecision,
  type RecordKind,
  type Tool,
  type ToolCall,
  type ToolCallSummary,
  type ToolResult,
  type ToolTarget,
} from './types.ts';

/** Precedes the result of a call that a person changed. */
const CHANGED = 'The user changed this call before it ran. The conversation shows the call that was run.';

/** The entry that precedes an action, by its effect. What uses the network is in `proposed-action` already. */
const KINDS: Readonly<Partial<Record<Tool['effect'], RecordKind>>> = {
  read: 'file-read',
  write: 'file-modified',
  execute: 'sandbox-execution',
};

/**
 * Runs one call of the model: reads its arguments, judges it, asks the person where needed, records it and only then
 * acts. The model sees every fault of the call. Throws where the record cannot be written, or the turn
 * was interrupted.
 */
export async function runCall(around: CallDependencies, tools: readonly Tool[], call: ToolCall): Promise<CallOutcome> {
  const tool = tools.find(({ name }) => name === call.name);
  const failed = (message: string): CallOutcome => {
    around.note({ tool: call.name, target: '', outcome: 'failed', authorizedBy: 'automatic' });
    around.emit({
      type: 'tool-finished',
      id: call.id,
      tool: call.name,
      target: '',
      outcome: 'failed',
      content: message,
    });
    return { outcome: 'failed', content: message, stop: false };
  };
  if (tool === undefined) {
    const names = tools.map(({ name }) => name).join(', ');
    return failed(`There is no tool named ${JSON.stringify(call.name)}. The tools are: ${names}.`);
  }
  const read = readArguments(tool, call.arguments);
  if (!read.ok) return failed(read.message);
  const target = tool.target(read.args);
  if (around.decided?.has(call.id) !== true)
    around.emit({ type: 'tool-proposed', id: call.id, tool: tool.name, target: target.value });
  const judged = await judge(around, tool, call, read.args, target);
  const noted = (outcome: CallOutcome): CallOutcome =>
    judged.changed === undefined
      ? outcome
      : { ...outcome, content: `${CHANGED}\n\n${outcome.content}`, changed: judged.changed };
  if ('failed' in judged)
    return noted(finish(around, call, { tool, target, decision: judged.decision }, judged.failed));
  const settled = { tool, target: judged.target, decision: judged.decision };
  if (judged.decision.decision !== 'allow') return noted(deny(around, call, settled, judged.stop));
  around.signal.throwIfAborted();
  const hookCall = { tool: tool.name, target: settled.target.value, arguments: judged.args };
  const denial = (await around.hooks?.beforeTool(hookCall)) ?? null;
  if (denial !== null) {
    const rule = `hook ${denial.command}`;
    await around.dependencies.record.append({
      kind: 'proposed-action',
      tool: tool.name,
      target: settled.target.value,
      decision: 'deny',
      rule,
      source: 'hook',
    });
    const decision = {
      ...settled.decision,
      decision: 'deny',
      authorizedBy: 'policy',
      rule,
      reason: denial.reason,
    } as const;
    return noted(deny(around, call, { ...settled, decision }, false));
  }
  const kind = KINDS[tool.effect];
  if (kind !== undefined)
    await around.dependencies.record.append({ kind, tool: tool.name, target: judged.target.value });
  around.emit({
    type: 'tool-started',
    id: call.id,
    tool: tool.name,
    target: settled.target.value,
    authorizedBy: settled.decision.authorizedBy,
  });
  let result: ToolResult;
  try {
    result = await tool.run(judged.args, contextOf(around, call.id));
  } catch (error) {
    if (around.signal.aborted) {
      act(around, settled, 'interrupted');
      around.note(summaryOf(settled, 'failed'));
      throw around.signal.reason;
    }
    if (error instanceof ModelRefused) {
      // The gateway ended the session.
      act(around, settled, 'refused', error.message);
      around.note(summaryOf(settled, 'failed'));
      throw error;
    }
    result = { outcome: 'failed', content: errorMessage(error) };
  }
  const { outcome, content } = result;
  await around.hooks?.afterTool({ ...hookCall, outcome, result: content });
  return noted(finish(around, call, settled, result));
}

interface Settled {
  readonly tool: Tool;
  readonly target: ToolTarget;
  readonly decision: PermissionDecision;
}
function deny(around: CallDependencies, call: ToolCall, settled: Settled, stop: boolean): CallOutcome {
  const { tool, target, decision } = settled;
  const content = deniedResult(decision.reason);
  around.note({ ...summaryOf(settled, 'denied'), reason: decision.reason });
  act(around, settled, 'refused', decision.reason);
  around.emit({
    type: 'tool-finished',
    id: call.id,
    tool: tool.name,
    target: target.value,
    outcome: 'denied',
    content,
    authorizedBy: decision.authorizedBy,
  });
  return { outcome: 'denied', content, stop };
}

function finish(around: CallDependencies, call: ToolCall, settled: Settled, result: ToolResult): CallOutcome {
  const { tool, target } = settled;
  const { text: content, masked } = around.dependencies.mask(result.content);
  if (masked > 0) {
    const secrets = masked === 1 ? '1 secret was' : `${masked} secrets were`;
    const text = `${secrets} masked in the result of ${tool.name} (${target.value}).`;
    around.emit({ type: 'notice', level: 'warning', text });
  }
  around.note(summaryOf(settled, result.outcome));
  act(around, settled, result.outcome);
  around.emit({
    type: 'tool-finished',
    id: call.id,
    tool: tool.name,
    target: target.value,
    outcome: result.outcome,
    content,
    authorizedBy: settled.decision.authorizedBy,
    ...(result.display === undefined ? {} : { display: result.display }),
  });
  const images = result.images === undefined ? {} : { images: result.images };
  const isFile = target.kind === 'path' && (tool.effect === 'read' || tool.effect === 'write');
  const path = isFile && result.outcome === 'succeeded' ? { path: target.value } : {};
  return { outcome: result.outcome, content, stop: false, ...images, ...path };
}

function summaryOf({ tool, target, decision }: Settled, outcome: ToolCallSummary['outcome']): ToolCallSummary {
  return { tool: tool.name, target: target.value, outcome, authorizedBy: decision.authorizedBy };
}

function act(
  around: CallDependencies,
  { tool, target, decision }: Settled,
  outcome: 'succeeded' | 'failed' | 'refused' | 'interrupted',
  reason?: string,
): void {
  around.dependencies.organization.act({
    session: around.session,
    ...(around.parentSession === null ? {} : { parentSession: around.parentSession }),
    tool: tool.name,
    target,
    authorizedBy: decision.authorizedBy,
    outcome,
    ...(reason === undefined ? {} : { reason }),
  });
}
