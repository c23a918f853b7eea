import type { Message } from './types.ts';

const NO_RESULT =
  'The program ended before this call had a result. The call may have had effects: check them before you repeat it.';

/**
 * The messages with a result for every call. A process that is killed, and a copy of a session that is running, leave
 * calls without one, and engines refuse such a conversation.
 */
export function answerOpenCalls(messages: readonly Message[]): readonly Message[] {
  const open = new Set<string>();
  const whole: Message[] = [];
  const answer = (): void => {
    for (const callId of open) whole.push({ role: 'tool', callId, content: NO_RESULT });
    open.clear();
  };
  for (const message of messages) {
    if (message.role === 'tool') open.delete(message.callId);
    else answer();
    whole.push(message);
    if (message.role === 'assistant') for (const { id } of message.toolCalls ?? []) open.add(id);
  }
  answer();
  return whole;
}
