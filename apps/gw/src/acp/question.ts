import { type AgentContext, methods, type PermissionOption } from '@agentclientprotocol/sdk';
import type { AgentEvent } from '../agent/types.ts';

type Asked = Extract<AgentEvent, { type: 'question' }>;

/** For the model: an editor without forms and a question without options. */
const ASK_IN_ANSWER =
  'This editor cannot show the question. Ask it in your answer and end your turn: the user replies with the next message.';
const DECLINE = 'decline';

/**
 * Asks a question of the model in the editor: as a form where the editor has forms, else as a choice between the options.
 * Null where the person gives no answer.
 */
export async function askInEditor(
  client: AgentContext,
  of: { readonly sessionId: string; readonly toolCallId: string; readonly forms: boolean },
  { question, options }: Asked,
): Promise<string | null> {
  const { sessionId, toolCallId } = of;
  try {
    if (of.forms) return await askWithForm(client, sessionId, question, options);
    if (options.length === 0) return ASK_IN_ANSWER;
    const choices = options.map((name, at): PermissionOption => ({ optionId: String(at), name, kind: 'allow_once' }));
    const { outcome } = await client.request(methods.client.session.requestPermission, {
      sessionId,
      toolCall: { toolCallId, title: question, kind: 'other', status: 'pending' },
      options: [...choices, { optionId: DECLINE, name: 'No answer', kind: 'reject_once' }],
    });
    return outcome.outcome === 'cancelled' ? null : (options[Number(outcome.optionId)] ?? null);
  } catch {
    return null;
  }
}

async function askWithForm(
  client: AgentContext,
  sessionId: string,
  message: string,
  options: readonly string[],
): Promise<string | null> {
  const choice = options.length === 0 ? {} : { description: `For example: ${options.join(' · ')}` };
  const answered = await client.request(methods.client.elicitation.create, {
    mode: 'form',
    sessionId,
    message,
    requestedSchema: {
      type: 'object',
      properties: { answer: { type: 'string', title: 'Answer', ...choice } },
      required: ['answer'],
    },
  });
  const content: unknown = answered.action === 'accept' && 'content' in answered ? answered.content : null;
  const { answer } = (content ?? {}) as { readonly answer?: unknown };
  return typeof answer === 'string' && answer !== '' ? answer : null;
}
