import { isDeepStrictEqual } from 'node:util';
import { errorMessage } from '@gateway/contract/error-code';
import { deniedResult } from './approval-words.ts';
import { type CallDependencies, contextOf, type Decided, readArguments } from './call-dependencies.ts';
import {
  type CallOutcome,
  type Message,
  ModelRefused,
  type PermissionCall,
  type PermissionDecision,
  type RecordKind,
  type Tool,
  type ToolCall,
  type ToolCallSummary,
  ToolFailed,
  type ToolResult,
  type ToolTarget,
} from './types/index.ts';

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

type Judged =
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
async function judge(
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
    return { decision: denial(first, 'Nobody can answer a question here.'), args, target, stop: false };
  if (first.decision !== 'ask') return { decision: first, args, target, stop: false };
  if (!interactive) {
    const reason = `${first.reason} Nobody can approve it here: allow it with --allow.`;
    return { decision: denial(first, reason), args, target, stop: false };
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
function denial(decision: PermissionDecision, reason: string): PermissionDecision {
  return { ...decision, decision: 'deny', authorizedBy: 'policy', reason };
}

/** Statuses with which engines refuse what a message holds. */
const REFUSED = new Set([400, 413, 422]);

export function isRefusedMessage(status: number | null): boolean {
  return status !== null && REFUSED.has(status);
}

/**
 * The conversation after the engine refused its newest messages: a note in place of their pictures or, without any, of
 * their text. Without it, every later call would be refused.
 * @returns `pictures` tells which of the two was replaced; `messages` is what was given where there is nothing to replace
 */
export function withoutRefused(
  messages: readonly Message[],
  status: number | null,
): { readonly messages: readonly Message[]; readonly pictures: boolean } {
  const from = messages.findLastIndex(({ role }) => role === 'assistant') + 1;
  const [before, newest] = [messages.slice(0, from), messages.slice(from)];
  const pictures = newest.some(hasPicture);
  // Not its sentence: it may repeat what it refused.
  const note = pictures
    ? `[A picture was here. The engine refused it (${status}), so it was removed.]`
    : `[The engine refused what was here (${status}), so it was left out.]`;
  const replaced = newest.map((message) => (pictures ? withoutPictures(message, note) : withNote(message, note)));
  return { messages: replaced.every((one, at) => one === newest[at]) ? messages : [...before, ...replaced], pictures };
}

export function hasPicture(message: Message): boolean {
  if (message.role === 'tool') return (message.images ?? []).length > 0;
  return typeof message.content !== 'string' && message.content.some(({ type }) => type === 'image');
}

export function withoutPictures(message: Message, note: string): Message {
  if (!hasPicture(message)) return message;
  if (message.role === 'tool') {
    const { images: _, ...rest } = message;
    return { ...rest, content: `${message.content}\n${note}` };
  }
  if (message.role !== 'user' || typeof message.content === 'string') return message;
  return {
    ...message,
    content: message.content.map((part) => (part.type === 'image' ? { type: 'text' as const, text: note } : part)),
  };
}

function withNote(message: Message, note: string): Message {
  if (message.role === 'tool') return { ...message, content: note };
  return message.role === 'user' ? { ...message, content: note } : message;
}
