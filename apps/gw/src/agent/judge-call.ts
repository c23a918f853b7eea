import { isDeepStrictEqual } from 'node:util';
import { readArguments } from './call-arguments.ts';
import { type CallDependencies, contextOf, type Decided } from './call-dependencies.ts';
import {
  type PermissionCall,
  type PermissionDecision,
  type Tool,
  type ToolCall,
  ToolFailed,
  type ToolResult,
  type ToolTarget,
} from './types.ts';

export type Judged =
  | {
      readonly decision: PermissionDecision;
      readonly args: unknown;
      readonly target: ToolTarget;
      readonly stop: boolean;
      /** The arguments that the person wrote instead of the model's, as JSON. */
      readonly changed?: string;
    }
  | { readonly decision: PermissionDecision; readonly failed: ToolResult; readonly changed?: string };

/** Decides a call by the rules and, where they ask, by the person. Every decision is recorded. */
export async function judge(
  around: CallDependencies,
  tool: Tool,
  call: ToolCall,
  args: unknown,
  target: ToolTarget,
): Promise<Judged> {
  const { permissions, record, interactive } = around.dependencies;
  const asked: PermissionCall = { tool: tool.name, effect: tool.effect, target, args };
  const first = await permissions.judge(asked, around.mode());
  await record.append({
    kind: 'proposed-action',
    tool: tool.name,
    target: target.value,
    decision: first.decision,
    rule: first.rule,
    source: first.source,
  });
  if (tool.name === 'AskQuestion' && first.decision !== 'deny' && !interactive)
    return { decision: deny(first, 'Nobody can answer a question here.'), args, target, stop: false };
  if (first.decision !== 'ask') return { decision: first, args, target, stop: false };
  if (!interactive) {
    const reason = `${first.reason} Nobody can approve it here: allow it with --allow.`;
    return { decision: deny(first, reason), args, target, stop: false };
  }
  const decided = around.decided?.get(call.id);
  if (decided?.approval != null && first.source !== 'always asks')
    return approve(around, { tool, asked, first, requestId: decided.requestId }, decided.approval);
  const context = contextOf(around, call.id);
  let preview: Awaited<ReturnType<NonNullable<Tool['preview']>>> | null;
  try {
    preview = (await tool.preview?.(args, context)) ?? null;
  } catch (error) {
    if (!(error instanceof ToolFailed)) throw error;
    return { decision: { ...first, authorizedBy: 'automatic' }, failed: { outcome: 'failed', content: error.message } };
  }
  return around.inTurn(async (hasWaited) => {
    around.signal.throwIfAborted();
    // The same call may have been allowed for good while it waited for its turn.
    const now = hasWaited ? await permissions.judge(asked, around.mode()) : first;
    if (now.decision === 'allow') return { decision: now, args, target, stop: false };
    const offers = (await permissions.offers?.(asked)) ?? [];
    const request = around.approvals.open(around.signal);
    around.emit({
      type: 'permission-requested',
      id: request.id,
      call: call.id,
      tool: tool.name,
      target,
      arguments: JSON.stringify(args),
      preview,
      reason: first.reason,
      offers: offers.map(({ rules }) => rules),
    });
    const approval = await request.answer;
    const answer = approval.decision === 'each' ? ({ decision: 'deny' } as const) : approval;
    return approve(around, { tool, asked, first, requestId: request.id }, answer);
  });
}

async function approve(
  around: CallDependencies,
  of: {
    readonly tool: Tool;
    readonly asked: PermissionCall;
    readonly first: PermissionDecision;
    readonly requestId: string;
  },
  approval: Decided,
): Promise<Judged> {
  const { permissions, record } = around.dependencies;
  const { tool, asked, first, requestId } = of;
  let { args, target } = asked;
  let decision: PermissionDecision = { ...first, decision: 'allow', authorizedBy: 'human' };
  let stop = false;
  let failed: ToolResult | null = null;
  let changed: string | undefined;
  if (approval.decision === 'deny') {
    decision = { ...first, decision: 'deny', authorizedBy: 'human', reason: approval.reason ?? 'The user denied it.' };
    stop = approval.stop === true;
  } else if (approval.arguments !== undefined && !isSameJson(approval.arguments, asked.args)) {
    changed = approval.arguments;
    const read = readArguments(tool, approval.arguments);
    if (read.ok) {
      args = read.args;
      target = tool.target(args);
      const again = await permissions.judge({ ...asked, target, args }, around.mode());
      if (again.decision === 'deny') decision = again;
    } else failed = { outcome: 'failed', content: read.message };
  }
  const remember = approval.decision === 'allow' && decision.decision === 'allow' ? approval.remember : undefined;
  if (approval.decision === 'allow' && remember !== undefined && failed === null) {
    const notice = await permissions.remember({ ...asked, target, args }, remember, approval.rules);
    if (notice !== null) around.emit({ type: 'notice', level: 'warning', text: notice });
  }
  await record.append({
    kind: 'human-decision',
    tool: tool.name,
    target: target.value,
    decision: decision.decision,
    ...(remember === undefined ? {} : { remembered: remember }),
    ...(changed === undefined ? {} : { changed: true, proposed: asked.target.value }),
  });
  around.emit({
    type: 'permission-decided',
    id: requestId,
    tool: tool.name,
    target: target.value,
    decision: decision.decision === 'allow' ? 'allow' : 'deny',
    authorizedBy: decision.authorizedBy,
    reason: decision.reason,
    ...(changed === undefined ? {} : { changed: true }),
  });
  const change = changed === undefined ? {} : { changed };
  return failed === null ? { decision, args, target, stop, ...change } : { decision, failed, ...change };
}

function isSameJson(text: string, value: unknown): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(text), value);
  } catch {
    return false;
  }
}

/** Denied because nobody can be asked: the rules decided, and no person did. */
function deny(decision: PermissionDecision, reason: string): PermissionDecision {
  return { ...decision, decision: 'deny', authorizedBy: 'policy', reason };
}
