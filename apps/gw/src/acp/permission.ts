import { type AgentContext, methods, type PermissionOption } from '@agentclientprotocol/sdk';
import { errorMessage } from '@gateway/contract/error-code';
import { describeScope, widerOffers } from '../agent/approval-scope.ts';
import type { AgentEvent, Approval } from '../agent/types.ts';
import { contentOf, headingOf, textContent } from './tool-call.ts';

type Asked = Extract<AgentEvent, { type: 'permission-requested' }>;

interface Choice {
  readonly option: PermissionOption;
  readonly approval: Approval;
}

/** What the person can answer. The rules that an answer saves are in its name. */
function choicesOf(event: Asked): readonly Choice[] {
  const remembered = [undefined, ...widerOffers(event)].flatMap((rules, at): Choice[] =>
    (['session', 'project'] as const).map((remember) => ({
      option: {
        optionId: at === 0 ? remember : `${remember}-${at}`,
        name: `Allow ${rules?.join(', ') ?? describeScope(event.tool)} ${remember === 'session' ? 'for the session' : 'in this project'}`,
        kind: 'allow_always',
      },
      approval: { decision: 'allow', remember, ...(rules === undefined ? {} : { rules }) },
    })),
  );
  return [
    { option: { optionId: 'allow', name: 'Allow', kind: 'allow_once' }, approval: { decision: 'allow' } },
    ...remembered,
    { option: { optionId: 'reject', name: 'Reject, and stop', kind: 'reject_once' }, approval: REJECTED },
  ];
}

const REJECTED: Approval = { decision: 'deny', stop: true };

/** Asks the person in the editor. Any answer but an approval denies the call and ends the turn, as `n` does in the terminal. */
export async function askPermission(
  client: AgentContext,
  of: { readonly sessionId: string; readonly toolCallId: string; readonly cwd: string },
  event: Asked,
): Promise<Approval> {
  const { sessionId, toolCallId, cwd } = of;
  const from = event.subAgent === undefined ? '' : 'A sub-agent asks. ';
  const choices = choicesOf(event);
  const content = [textContent(from + event.reason), ...(event.preview === null ? [] : contentOf(event.preview, cwd))];
  try {
    const { outcome } = await client.request(methods.client.session.requestPermission, {
      sessionId,
      toolCall: {
        toolCallId,
        ...headingOf(event.tool, event.target.value, cwd),
        status: 'pending',
        content,
        rawInput: JSON.parse(event.arguments),
      },
      options: choices.map(({ option }) => option),
    });
    if (outcome.outcome === 'cancelled') return REJECTED;
    return choices.find(({ option }) => option.optionId === outcome.optionId)?.approval ?? REJECTED;
  } catch (error) {
    const why = errorMessage(error);
    return { decision: 'deny', stop: true, reason: `The editor did not answer the permission request: ${why}` };
  }
}
