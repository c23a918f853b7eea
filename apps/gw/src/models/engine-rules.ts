import { createHash } from 'node:crypto';
import type { KeptMembers, Message, ToolCall } from '../agent/types.ts';

/**
 * What some engines refuse and others demand. `gw` learns it from an engine's refusal, calls again, and keeps to it as
 * long as it runs: no list of vendors has to be right.
 */
const RULES = {
  /** Mistral, Groq: members that they do not know. The engine of the entry changed, or sends what it does not take. */
  'no-kept-members':
    /(?=.*(?:reasoning|extra_content|thought|messages?\b.*(?:assistant|tool_calls)))(?=.*(?:extra (?:inputs|fields)|not permitted|unsupported|not supported|unknown|unexpected|unrecognized|not allowed))/is,
  /** DeepSeek, Moonshot: the messages of another model have no thinking. */
  'fill-reasoning':
    /reasoning_content\b.*(?:missing|required|must be (?:passed|provided))|missing\b.*\breasoning_content/is,
  /** Gemini: the calls of another model have no signature. */
  'fill-signature': /thought_signature/i,
  /** Mistral. */
  'nine-letter-ids': /a-z, A-Z, 0-9, with a length of 9/i,
  /** Mistral: a message of the user must not follow a result. */
  'answer-results': /unexpected role ['"]?user['"]? after role ['"]?tool/i,
  /** Templates of llama.cpp and vLLM. */
  'alternate-roles': /roles must alternate|after the optional system message/i,
  'no-stream-options': /stream_options/i,
  /** OpenAI: models that think. */
  'completion-tokens': /max_tokens\b.*max_completion_tokens/is,
  'no-temperature': /(?=.*temperature)(?=.*(?:unsupported|not support|does not support|deprecated|only the default))/is,
} as const;
export type EngineRule = keyof typeof RULES;
export type EngineRules = ReadonlySet<EngineRule>;

const READ = new Set([400, 422, 500]);

/** What a refusal says of the engine, where it is not known yet. */
export function ruleIn(status: number, sentence: string, known: EngineRules): EngineRule | null {
  if (!READ.has(status)) return null;
  for (const [rule, pattern] of Object.entries(RULES) as [EngineRule, RegExp][])
    if (!known.has(rule) && pattern.test(sentence)) return rule;
  return null;
}

/** The messages as an engine with these rules takes them. */
export function obey(messages: readonly Message[], rules: EngineRules): readonly Message[] {
  let kept = messages;
  if (rules.has('no-kept-members')) kept = kept.map(withoutKept);
  if (rules.has('fill-reasoning')) kept = kept.map(withReasoning);
  if (rules.has('fill-signature')) kept = kept.map(withSignature);
  if (rules.has('nine-letter-ids')) kept = kept.map(withNineLetters);
  if (rules.has('answer-results')) kept = kept.flatMap((one, at) => answered(one, kept[at - 1]));
  if (rules.has('alternate-roles')) kept = alternating(kept);
  return kept;
}

function withoutKept(message: Message): Message {
  if (message.role !== 'assistant') return message;
  const { members: _, toolCalls, ...rest } = message;
  const plain = toolCalls?.map(({ id, name, arguments: text }) => ({ id, name, arguments: text }));
  return plain === undefined ? rest : { ...rest, toolCalls: plain };
}

function withReasoning(message: Message): Message {
  return message.role !== 'assistant' || message.members?.['reasoning_content'] !== undefined
    ? message
    : { ...message, members: { ...message.members, reasoning_content: ' ' } };
}

/** The value that Gemini takes for calls that it did not make. */
const NO_SIGNATURE: KeptMembers = {
  extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } },
};

function withSignature(message: Message): Message {
  if (message.role !== 'assistant') return message;
  const [first, ...rest] = message.toolCalls ?? [];
  if (first === undefined || first.members?.['extra_content'] !== undefined) return message;
  return { ...message, toolCalls: [{ ...first, members: { ...first.members, ...NO_SIGNATURE } }, ...rest] };
}

function withNineLetters(message: Message): Message {
  if (message.role === 'tool') return { ...message, callId: nineLetters(message.callId) };
  if (message.role !== 'assistant' || message.toolCalls === undefined) return message;
  return { ...message, toolCalls: message.toolCalls.map((call: ToolCall) => ({ ...call, id: nineLetters(call.id) })) };
}
function nineLetters(id: string): string {
  return /^[a-zA-Z0-9]{9}$/.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 9);
}

function answered(message: Message, before: Message | undefined): readonly Message[] {
  return message.role === 'user' && before?.role === 'tool'
    ? [{ role: 'assistant', content: 'I have read the results.' }, message]
    : [message];
}

/** Messages of the same side as one. */
function alternating(messages: readonly Message[]): readonly Message[] {
  const merged: Message[] = [];
  for (const message of messages) {
    const before = merged.at(-1);
    if (message.role === 'user' && before?.role === 'user')
      merged[merged.length - 1] = { ...before, content: [...partsOf(before.content), ...partsOf(message.content)] };
    else if (message.role === 'assistant' && before?.role === 'assistant' && before.toolCalls === undefined)
      merged[merged.length - 1] = { ...message, content: `${before.content}\n\n${message.content}` };
    else merged.push(message);
  }
  return merged;
}
function partsOf(content: Extract<Message, { role: 'user' }>['content']) {
  return typeof content === 'string' ? [{ type: 'text' as const, text: `${content}\n` }] : content;
}
