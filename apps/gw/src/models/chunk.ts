import { type ModelEvent, ModelFailed, type ToolCall } from '../agent/types.ts';
import * as s from '../schema/index.ts';
import { errorText, failureOf } from './failure.ts';

const text = s.string().orNull();
const piece = s.object({
  content: text,
  reasoning_content: text,
  reasoning: text,
  tool_calls: s
    .array(
      s.object({
        index: s.number().orNull(),
        id: text,
        function: s.object({ name: text, arguments: text }).orNull(),
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

interface Building {
  readonly index: number;
  id: string;
  name: string;
  arguments: string;
}

/**
 * Puts an answer together from its chunks (or from one whole answer). Text and reasoning are given as they come; calls
 * only by `end`, once the engine said that they are whole.
 */
export function createAssembly() {
  const calls: Building[] = [];
  let finished: string | null = null;
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
    if (parsed.value.error != null) throw failureOf(value, errorText(value) ?? 'The engine reported an error.', null);
    if (parsed.value.usage != null) {
      usage = { input: parsed.value.usage.prompt_tokens ?? 0, output: parsed.value.usage.completion_tokens ?? 0 };
    }
    const choice = parsed.value.choices?.[0];
    if (choice == null) return;
    const { delta } = { delta: choice.delta ?? choice.message };
    if (delta != null) yield* addPiece(delta);
    if (choice.finish_reason != null && choice.finish_reason !== '') finished = choice.finish_reason;
  }

  function* addPiece(delta: Piece): Generator<ModelEvent> {
    const reasoning = delta.reasoning_content ?? delta.reasoning;
    if (reasoning != null && reasoning !== '') yield { type: 'reasoning', text: reasoning };
    if (delta.content != null && delta.content !== '') yield { type: 'text', text: delta.content };
    for (const [at, part] of (delta.tool_calls ?? []).entries()) {
      const [id, name] = [part.id ?? '', part.function?.name ?? ''];
      const call = callOf(part.index ?? positionOf(id) ?? at, id, name);
      if (call.id === '') call.id = id;
      if (call.name === '') call.name = name;
      call.arguments += part.function?.arguments ?? '';
    }
  }

  /** Some engines send one index for all calls: another identifier with a name is another call. */
  function callOf(index: number, id: string, name: string): Building {
    const known = calls.findLast((call) => call.index === index);
    const isOther = known !== undefined && id !== '' && name !== '' && known.id !== '' && known.id !== id;
    if (known !== undefined && !isOther) return known;
    const call = { index, id: '', name: '', arguments: '' };
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
    for (const { index, ...call } of calls.toSorted((one, other) => one.index - other.index)) {
      const whole: ToolCall = { ...call, id: call.id === '' ? `call_${index}` : call.id };
      yield { type: 'tool-call', call: whole };
    }
    if (usage !== null) yield { type: 'usage', ...usage };
    yield { type: 'end', reason: finished };
  }
  return { add, end };
}
