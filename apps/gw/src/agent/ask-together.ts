import { readArguments } from './call-arguments.ts';
import { type CallDependencies, contextOf, type DecidedCalls } from './call-dependencies.ts';
import type { PermissionCall, PermissionDecision, Preview, Tool, ToolCall } from './types.ts';

interface Asking {
  readonly call: ToolCall;
  readonly asked: PermissionCall;
  readonly first: PermissionDecision;
  readonly preview: Preview | null;
}

/**
 * Asks once where several calls of one answer need an approval. What always asks is left out, and what fails before it is asked.
 * @returns the person's answer for each of these calls; null where the person wants to be asked for each
 */
export async function askTogether(
  around: CallDependencies,
  tools: readonly Tool[],
  calls: readonly ToolCall[],
): Promise<DecidedCalls> {
  const { interactive, asksTogether } = around.dependencies;
  if (!interactive || asksTogether !== true || calls.length < 2) return new Map();
  const asking: Asking[] = [];
  for (const call of calls) {
    const one = await findAsking(around, tools, call);
    if (one !== null) asking.push(one);
  }
  const [first, ...others] = asking;
  if (first === undefined || others.length === 0) return new Map();
  return around.inTurn(async () => {
    around.signal.throwIfAborted();
    const request = around.approvals.open(around.signal);
    for (const { call, asked } of asking)
      around.emit({ type: 'tool-proposed', id: call.id, tool: asked.tool, target: asked.target.value });
    around.emit({
      type: 'permission-requested',
      id: request.id,
      ...eventOf(first),
      reason: others.every((one) => one.first.reason === first.first.reason) ? first.first.reason : '',
      more: others.map(eventOf),
    });
    const approval = await request.answer;
    const answer = approval.decision === 'each' ? null : approval;
    if (answer === null) around.emit({ type: 'permission-asked-each', id: request.id });
    return new Map(asking.map(({ call }) => [call.id, { requestId: request.id, approval: answer }]));
  });
}

function eventOf({ call, asked: { tool, target, args }, preview }: Asking) {
  return { call: call.id, tool, target, arguments: JSON.stringify(args), preview };
}

async function findAsking(around: CallDependencies, tools: readonly Tool[], call: ToolCall): Promise<Asking | null> {
  const tool = tools.find(({ name }) => name === call.name);
  if (tool === undefined || tool.name === 'Agent' || tool.name === 'AskQuestion') return null;
  const read = readArguments(tool, call.arguments);
  if (!read.ok) return null;
  const asked: PermissionCall = {
    tool: tool.name,
    effect: tool.effect,
    target: tool.target(read.args),
    args: read.args,
  };
  const first = await around.dependencies.permissions.judge(asked, around.mode());
  if (first.decision !== 'ask' || first.source === 'always asks') return null;
  try {
    return { call, asked, first, preview: (await tool.preview?.(read.args, contextOf(around, call.id))) ?? null };
  } catch {
    return null; // it says why when its turn comes
  }
}
