import { createHash } from 'node:crypto';
import { messageText } from './state.ts';
import type { Json, KeptMembers, Message, ToolCall } from './types/index.ts';

const NO_RESULT =
  'The program ended before this call had a result. The call may have had effects: check them before you repeat it.';
const PLAIN = /^[A-Za-z0-9_-]{1,64}$/;
const LONGEST = 64;

/**
 * The messages as every engine takes them: each call has a plain name, an identifier of its own, an object as arguments
 * and one result; no message is empty. A process that is killed, a copy of a session that is running, and sessions of
 * earlier versions leave others, and engines refuse the whole conversation then.
 */
export function validHistory(messages: readonly Message[]): readonly Message[] {
  const taken = new Set<string>();
  const whole: Message[] = [];
  /** Calls without a result: the identifier that the result names, and the one that is sent. */
  let open: { readonly given: string; readonly id: string }[] = [];
  const answer = (): void => {
    for (const { id } of open) whole.push({ role: 'tool', callId: id, content: NO_RESULT });
    open = [];
  };
  for (const message of messages) {
    if (message.role === 'tool') {
      const at = open.findIndex(({ given }) => given === message.callId);
      const call = at < 0 ? undefined : open.splice(at, 1)[0];
      if (call !== undefined) whole.push(call.id === message.callId ? message : { ...message, callId: call.id });
      continue;
    }
    answer();
    if (message.role !== 'assistant') {
      if (!isEmpty(message)) whole.push(message);
      continue;
    }
    const given = message.toolCalls ?? [];
    if (given.length === 0) {
      if (!isEmpty(message)) whole.push(message);
      continue;
    }
    const calls = plainCalls(given, taken);
    open = calls.map(({ id }, at) => ({ given: given[at]?.id ?? id, id }));
    whole.push(calls.every((call, at) => call === given[at]) ? message : { ...message, toolCalls: calls });
  }
  answer();
  return whole;
}

/** Identifiers of the calls of a conversation. */
export function identifiersIn(messages: readonly Message[]): Set<string> {
  return new Set(
    messages.flatMap((one) => (one.role === 'assistant' ? (one.toolCalls ?? []) : [])).map(({ id }) => id),
  );
}

/** Calls as every engine takes them back. @param taken identifiers of the conversation; those of the calls are added */
export function plainCalls(calls: readonly ToolCall[], taken: Set<string>): readonly ToolCall[] {
  return calls.map((call) => {
    const [id, name] = [freeIdentifier(call.id, taken), plainName(call.name)];
    taken.add(id);
    const text = objectText(call.arguments);
    return id === call.id && name === call.name && text === call.arguments
      ? call
      : { ...call, id, name, arguments: text };
  });
}

/** The arguments, if they are an object, or JSON of a text of one; else those of a call without arguments. */
function objectText(text: string, isInner = false): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'string' && !isInner) return objectText(value, true);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? text : '{}';
  } catch {
    return '{}';
  }
}

function freeIdentifier(given: string, taken: ReadonlySet<string>): string {
  const plain = shorten(given, 'call');
  for (let count = 1, id = plain; ; count += 1, id = `${plain.slice(0, LONGEST - 8)}_${count}`) {
    if (!taken.has(id)) return id;
  }
}

/** Models put a namespace before a name, or a whole sentence. */
function plainName(given: string): string {
  return shorten(given.replace(/^functions?[.:]/, ''), 'unnamed');
}

function shorten(given: string, none: string): string {
  if (PLAIN.test(given)) return given;
  const plain = given.replaceAll(/[^A-Za-z0-9_-]/g, '_') || none;
  if (plain.length <= LONGEST) return plain;
  return `${plain.slice(0, LONGEST - 13)}_${createHash('sha256').update(given).digest('hex').slice(0, 12)}`;
}

function isEmpty(message: Message): boolean {
  if (typeof message.content !== 'string' && message.content.some(({ type }) => type === 'image')) return false;
  return messageText(message).trim() === '';
}

/** Members whose text nobody reads: a change would make them invalid. */
const OPAQUE = /signature|encrypted|^data$|^id$/i;

/** The members with their readable texts masked. */
export function maskMembers(members: KeptMembers, mask: (text: string) => string): KeptMembers {
  const masked = (value: Json, name: string): Json => {
    if (typeof value === 'string') return OPAQUE.test(name) ? value : mask(value);
    if (Array.isArray(value)) return value.map((one: Json) => masked(one, name));
    return typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([member, one]) => [member, masked(one, member)]))
      : value;
  };
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, masked(value, name)]));
}
