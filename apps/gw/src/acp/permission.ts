import { type AgentContext, methods, type PermissionOption } from '@agentclientprotocol/sdk';
import { errorMessage } from '@gateway/contract/error-code';
import { describeScope } from '../agent/approval-scope.ts';
import type { AgentEvent, Approval } from '../agent/types.ts';
import { contentOf, headingOf, textContent } from './tool-call.ts';

type Asked = Extract<AgentEvent, { type: 'permission-requested' }>;

function optionsOf(tool: string): PermissionOption[] {
  const again = describeScope(tool);
  return [
    { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
    { optionId: 'session', name: `Allow ${again} for the session`, kind: 'allow_always' },
    { optionId: 'project', name: `Allow ${again} in this project`, kind: 'allow_always' },
    { optionId: 'reject', name: 'Reject, and stop', kind: 'reject_once' },
  ];
}

/** Asks the person in the editor. Any answer but an approval denies the call and ends the turn, as `n` does in the terminal. */
export async function askPermission(
  client: AgentContext,
  of: { readonly sessionId: string; readonly toolCallId: string; readonly cwd: string },
  event: Asked,
): Promise<Approval> {
  const { sessionId, toolCallId, cwd } = of;
  const from = event.subAgent === undefined ? '' : 'A sub-agent asks. ';
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
      options: optionsOf(event.tool),
    });
    if (outcome.outcome === 'cancelled') return { decision: 'deny', stop: true };
    if (outcome.optionId === 'allow') return { decision: 'allow' };
    if (outcome.optionId === 'session' || outcome.optionId === 'project')
      return { decision: 'allow', remember: outcome.optionId };
    return { decision: 'deny', stop: true };
  } catch (error) {
    const why = errorMessage(error);
    return { decision: 'deny', stop: true, reason: `The editor did not answer the permission request: ${why}` };
  }
}
