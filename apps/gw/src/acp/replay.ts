import type { ContentBlock, SessionUpdate } from '@agentclientprotocol/sdk';
import { isSummary } from '../agent/rewind.ts';
import type { ContentPart, Message, SessionState, ToolCall } from '../agent/types.ts';
import { headingOf, output } from './tool-call.ts';
import { planOf } from './updates.ts';

/** A saved conversation as updates, in order: the editor shows it as it was. */
export function replayOf(state: SessionState, cwd: string, newCallId: () => string): readonly SessionUpdate[] {
  const calls = new Map<string, { readonly toolCallId: string; readonly call: ToolCall }>();
  const updates = state.messages.flatMap((message): readonly SessionUpdate[] => {
    switch (message.role) {
      case 'user':
        if (isSummary(message)) return [];
        return blocksOf(message.content).map((content) => ({ sessionUpdate: 'user_message_chunk', content }));
      case 'assistant':
        return [...answerOf(message), ...(message.toolCalls ?? []).flatMap(announce)];
      case 'tool': {
        const made = calls.get(message.callId);
        if (made === undefined || made.call.name === 'Checklist') return [];
        const { toolCallId } = made;
        const content = [output(message.content)];
        return [{ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', content }];
      }
      default:
        return [];
    }
  });
  return state.checklist.length === 0 ? updates : [...updates, planOf(state.checklist)];

  function announce(call: ToolCall): readonly SessionUpdate[] {
    const toolCallId = newCallId();
    calls.set(call.id, { toolCallId, call });
    if (call.name === 'Checklist') return [];
    const heading = headingOf(call.name, targetOf(call), cwd);
    return [{ sessionUpdate: 'tool_call', toolCallId, ...heading, status: 'in_progress' }];
  }
}

function answerOf({ content }: Extract<Message, { role: 'assistant' }>): readonly SessionUpdate[] {
  return content === '' ? [] : [{ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: content } }];
}

function blocksOf(content: string | readonly ContentPart[]): readonly ContentBlock[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.flatMap((part): readonly ContentBlock[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }];
    const [, mimeType, data] = /^data:([^;]+);base64,(.*)$/s.exec(part.url) ?? [];
    return mimeType === undefined || data === undefined ? [] : [{ type: 'image', mimeType, data }];
  });
}

/** What a saved call was about: the tools name it differently. */
function targetOf({ arguments: text }: ToolCall): string {
  try {
    const args = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const names = ['file_path', 'path', 'command', 'url', 'question', 'agent', 'job'];
    const found = names.map((name) => args[name]).find((value) => typeof value === 'string');
    return typeof found === 'string' ? found : '';
  } catch {
    return '';
  }
}
