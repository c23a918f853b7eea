import {
  type Json,
  type KeptMembers,
  type ModelEvent,
  ModelFailed,
  ModelRefused,
  type ToolCall,
} from '../agent/types/index.ts';
import * as s from '../schema/index.ts';
import { errorText, failureOf, refusalOf } from './http.ts';

/** Members of an answer that `gw` makes itself when it sends a message back, or that mean nothing there. */
const KNOWN = new Set(['role', 'content', 'refusal', 'tool_calls', 'function_call', 'index', 'id', 'type', 'function']);
const KNOWN_OF_FUNCTION = new Set(['name', 'arguments']);
/** Texts that name something: a later piece replaces them. All other texts come in parts. */
const NAMES = new Set(['type', 'index', 'id', 'format', 'role']);

export type Collected = { [name: string]: Json };

/** Adds the members of a piece that `gw` does not know to those of earlier pieces. */
export function collect(into: Collected, piece: unknown, of: 'message' | 'function' = 'message'): void {
  if (!isObject(piece)) return;
  const known = of === 'message' ? KNOWN : KNOWN_OF_FUNCTION;
  for (const [name, value] of Object.entries(piece))
    if (!known.has(name) && value !== null) into[name] = merge(into[name], value, name);
}

/** The members as they are kept; undefined where there are none. */
export function keptOf(collected: Collected): KeptMembers | undefined {
  return Object.keys(collected).length === 0 ? undefined : collected;
}

/** As engines stream: texts are appended, objects merged, elements of lists merged where they have the same `index`. */
function merge(before: Json | undefined, piece: Json, name: string): Json {
  if (before === undefined || before === null) return piece;
  if (piece === null) return before;
  if (typeof before === 'string' && typeof piece === 'string') return NAMES.has(name) ? piece : before + piece;
  if (Array.isArray(before) && Array.isArray(piece)) return mergeLists(before, piece);
  if (!isObject(before) || !isObject(piece)) return piece;
  const merged: Collected = { ...before };
  for (const [member, value] of Object.entries(piece)) merged[member] = merge(merged[member], value, member);
  return merged;
}

function mergeLists(before: readonly Json[], pieces: readonly Json[]): readonly Json[] {
  const merged = [...before];
  for (const piece of pieces) {
    const at =
      isObject(piece) && typeof piece['index'] === 'number' ? merged.findIndex((one) => isSame(one, piece)) : -1;
    if (at < 0) merged.push(piece);
    else merged[at] = merge(merged[at], piece, '');
  }
  return merged;
}

function isSame(one: Json, other: { readonly [name: string]: Json }): boolean {
  return (
    isObject(one) &&
    one['index'] === other['index'] &&
    (one['type'] ?? other['type']) === (other['type'] ?? one['type'])
  );
}

function isObject(value: unknown): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const text = s.string().orNull();
const piece = s.object({
  /** A text; of some models a list of parts, of which some are thinking. */
  content: s.unknown(),
  reasoning_content: text,
  reasoning: text,
  refusal: text,
  tool_calls: s
    .array(
      s.object({
        index: s.number().orNull(),
        id: text,
        function: s.object({ name: text, arguments: s.unknown() }).orNull(),
      }),
    )
    .orNull(),
});
const chunkShape = s.object({
  error: s.unknown(),
  choices: s.array(s.object({ delta: piece.orNull(), message: piece.orNull(), finish_reason: text })).orNull(),
  usage: s.object({ prompt_tokens: s.number().orNull(), completion_tokens: s.number().orNull() }).orNull(),
});
type Piece = s.Infer<typeof piece>;
/** The same piece with the members that the shape leaves out. */
type RawPiece = { readonly [name: string]: unknown };

interface Building {
  readonly index: number;
  id: string;
  name: string;
  arguments: string;
  readonly members: Collected;
  readonly functionMembers: Collected;
}

/**
 * Puts an answer together from its chunks (or from one whole answer). Text and reasoning are given as they come; calls
 * only by `end`, once the engine said that they are whole.
 */
export function createAssembly() {
  const calls: Building[] = [];
  const members: Collected = {};
  let finished: string | null = null;
  let refusal = '';
  let usage: { input: number; output: number } | null = null;

  function* add(data: string): Generator<ModelEvent> {
    let value: unknown;
    try {
      value = JSON.parse(data);
    } catch {
      throw new ModelFailed('The engine sent an event that is not JSON.', null);
    }
    const parsed = chunkShape.check(value);
    if (!parsed.ok) throw new ModelFailed('The engine sent an event of an unknown form.', null);
    if (parsed.value.error != null) throw errorIn(value);
    if (parsed.value.usage != null) {
      usage = { input: parsed.value.usage.prompt_tokens ?? 0, output: parsed.value.usage.completion_tokens ?? 0 };
    }
    const choice = parsed.value.choices?.[0];
    if (choice == null) return;
    const raw = (value as { choices: readonly { delta?: RawPiece | null; message?: RawPiece | null }[] }).choices[0];
    const delta = choice.delta ?? choice.message;
    if (delta != null) yield* addPiece(delta, raw?.delta ?? raw?.message ?? {});
    if (choice.finish_reason != null && choice.finish_reason !== '') finished = choice.finish_reason;
  }

  function* addPiece(delta: Piece, raw: RawPiece): Generator<ModelEvent> {
    const content = contentOf(delta.content);
    const reasoning = delta.reasoning_content ?? delta.reasoning ?? content.reasoning;
    if (reasoning !== '') yield { type: 'reasoning', text: reasoning };
    if (content.text !== '') yield { type: 'text', text: content.text };
    refusal += delta.refusal ?? '';
    collect(members, raw);
    const rawCalls = Array.isArray(raw['tool_calls']) ? (raw['tool_calls'] as readonly RawPiece[]) : [];
    for (const [at, part] of (delta.tool_calls ?? []).entries()) {
      const [id, name] = [part.id ?? '', part.function?.name ?? ''];
      const call = callOf(part.index ?? positionOf(id) ?? at, id, name);
      if (call.id === '') call.id = id;
      if (call.name === '') call.name = name;
      call.arguments += argumentsOf(part.function?.arguments);
      collect(call.members, rawCalls[at]);
      collect(call.functionMembers, rawCalls[at]?.['function'], 'function');
    }
  }

  /** Some engines send one index for all calls: another identifier with a name is another call. */
  function callOf(index: number, id: string, name: string): Building {
    const known = calls.findLast((call) => call.index === index);
    const isOther = known !== undefined && id !== '' && name !== '' && known.id !== '' && known.id !== id;
    if (known !== undefined && !isOther) return known;
    const call: Building = { index, id: '', name: '', arguments: '', members: {}, functionMembers: {} };
    calls.push(call);
    return call;
  }

  /** Some engines send no index: a new identifier is a new call. */
  function positionOf(id: string): number | null {
    if (id === '') return calls.length === 0 ? null : calls.length - 1;
    const known = calls.findIndex((call) => call.id === id);
    return known < 0 ? calls.length : known;
  }

  function* end(): Generator<ModelEvent> {
    if (finished === null) throw new ModelFailed('The answer broke off before its end.', null);
    for (const { index, members, functionMembers, ...call } of calls.toSorted(
      (one, other) => one.index - other.index,
    )) {
      const [kept, keptOfFunction] = [keptOf(members), keptOf(functionMembers)];
      const whole: ToolCall = {
        ...call,
        id: call.id === '' ? `call_${index}` : call.id,
        ...(kept === undefined ? {} : { members: kept }),
        ...(keptOfFunction === undefined ? {} : { functionMembers: keptOfFunction }),
      };
      yield { type: 'tool-call', call: whole };
    }
    if (usage !== null) yield { type: 'usage', ...usage };
    const kept = keptOf(members);
    yield {
      type: 'end',
      reason: finished,
      ...(refusal === '' ? {} : { refusal }),
      ...(kept === undefined ? {} : { members: kept }),
    };
  }
  /** Whether the engine said that the answer is over; its count of tokens may still come. */
  return { add, end, isOver: () => finished !== null };
}

/** An error in place of an answer: the gateway's own refusal, or a fault of the engine. */
function errorIn(value: unknown): ModelFailed | ModelRefused {
  const sentence = errorText(value) ?? 'The engine reported an error.';
  const refused = refusalOf(value);
  return refused === null
    ? failureOf(value, sentence, null)
    : new ModelRefused(sentence, refused.status, refused.revoked);
}

/** Some engines send an object where the API has its JSON. */
function argumentsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value == null ? '' : JSON.stringify(value);
}

/** The text of a content, and the thinking that some engines send as parts of it. */
function contentOf(content: unknown): { readonly text: string; readonly reasoning: string } {
  if (typeof content === 'string') return { text: content, reasoning: '' };
  let [text, reasoning] = ['', ''];
  for (const part of Array.isArray(content) ? content : []) {
    const { type, text: said, thinking } = (part ?? {}) as { type?: unknown; text?: unknown; thinking?: unknown };
    if (type === 'thinking') reasoning += typeof thinking === 'string' ? thinking : contentOf(thinking).text;
    else if (typeof said === 'string') text += said;
  }
  return { text, reasoning };
}
