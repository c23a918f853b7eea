import type { AssistantMessage, Message, ModelRequest, UserMessage } from '../agent/types.ts';
import { type EngineRules, obey } from './engine-rules.ts';

/** What of a model's settings is part of a request. */
interface RequestSettings {
  /** What the engine calls the model. */
  readonly id: string;
  readonly maxTokens: number | null;
  readonly temperature: number | null;
  readonly images: boolean | null;
}

/** Replaces an image for a model that accepts none. */
const NO_IMAGE = '[An image was here. You take no images: say so where it matters.]';

/** The body of a call. @param entry the entry of the configuration whose own members go back to it */
export function bodyOf(
  { id, maxTokens, temperature, images }: RequestSettings,
  entry: string,
  { messages, tools }: ModelRequest,
  rules: EngineRules,
): object {
  const own = messages.map((message) => (message.role === 'assistant' ? withOwnMembers(message, entry) : message));
  return {
    model: id,
    messages: obey(withPicturesBehind(own), rules).map((message) => wireMessage(message, images !== false)),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, parameters }) => ({
            type: 'function',
            function: { name, description, parameters },
          })),
        }),
    stream: true,
    ...(rules.has('no-stream-options') ? {} : { stream_options: { include_usage: true } }),
    ...(maxTokens === null
      ? {}
      : { [rules.has('completion-tokens') ? 'max_completion_tokens' : 'max_tokens']: maxTokens }),
    ...(temperature === null || rules.has('no-temperature') ? {} : { temperature }),
  };
}

function withOwnMembers(message: AssistantMessage, entry: string): Message {
  if (message.entry === entry) return message;
  const { members: _, toolCalls, ...rest } = message;
  const plain = toolCalls?.map(({ id, name, arguments: text }) => ({ id, name, arguments: text }));
  return plain === undefined ? rest : { ...rest, toolCalls: plain };
}

/** The pictures of results follow all results of an answer, as a message of the user: engines take them nowhere else. */
function withPicturesBehind(messages: readonly Message[]): readonly Message[] {
  const found: Message[] = [];
  let pictures: string[] = [];
  const flush = (): void => {
    if (pictures.length > 0) found.push({ role: 'user', content: picturesOf(pictures) });
    pictures = [];
  };
  for (const message of messages) {
    if (message.role === 'tool') pictures.push(...(message.images ?? []));
    else flush();
    found.push(message);
  }
  flush();
  return found;
}

function picturesOf(urls: readonly string[]): UserMessage['content'] {
  return [
    { type: 'text', text: '[Pictures that belong to the results above:]' },
    ...urls.map((url) => ({ type: 'image' as const, url })),
  ];
}

function wireMessage(message: Message, images: boolean): object {
  switch (message.role) {
    case 'user':
      return userMessage(message, images);
    case 'assistant': {
      const calls = (message.toolCalls ?? []).map((call) => ({
        ...call.members,
        id: call.id,
        type: 'function',
        function: { ...call.functionMembers, name: call.name, arguments: call.arguments },
      }));
      const { members, content } = message;
      return { ...members, role: 'assistant', content, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
    }
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.content };
    default:
      return message;
  }
}

function userMessage({ content }: UserMessage, images: boolean): object {
  if (typeof content === 'string') return { role: 'user', content };
  const parts = content.map((part) => {
    if (part.type === 'text') return part;
    return images ? { type: 'image_url', image_url: { url: part.url } } : { type: 'text', text: NO_IMAGE };
  });
  // Engines of models without images often take a text alone.
  const isText = parts.every((part) => 'text' in part);
  return { role: 'user', content: isText ? parts.map((part) => ('text' in part ? part.text : '')).join('\n') : parts };
}
