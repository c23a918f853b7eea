import { countIn, isFields, type MeteredApi, type Reported, readCounts, stringOrEmpty, strings } from './api.ts';

/** Older names of the last event are among them. */
const LAST = new Set(['interaction.completed', 'interaction.complete', 'interaction.failed']);

/** Gemini's interactions, which have names of their own. The last event of a stream contains the interaction. */
export const interactions: MeteredApi = {
  reads: ['usage', 'interaction.usage', 'event_type'],
  marks: ['usage"'],
  counts: ({ usage, interaction }) => countsOf(usage) ?? countsOf(isFields(interaction) ? interaction['usage'] : null),
  completes: ({ event_type: event }) => LAST.has(stringOrEmpty(event)),
  generated({ event_type: event, delta, steps, outputs }) {
    if (event !== undefined && isFields(delta)) return strings(delta);
    if (event !== undefined) return /^(?:interaction|step|content)\./.test(stringOrEmpty(event)) ? '' : null;
    return Array.isArray(steps) || Array.isArray(outputs) ? strings(steps) + strings(outputs) : null;
  },
  prompt: ['system_instruction', 'input', 'tools'],
};

function countsOf(usage: unknown): Reported | null {
  const input = countIn(usage, 'total_input_tokens');
  const tools = countIn(usage, 'total_tool_use_tokens');
  const output = countIn(usage, 'total_output_tokens');
  const thought = countIn(usage, 'total_thought_tokens', 'total_reasoning_tokens');
  return readCounts({
    input: input === undefined ? tools : input + (tools ?? 0),
    isCacheApart: undefined,
    cached: countIn(usage, 'total_cached_tokens'),
    written: undefined,
    output: output === undefined ? thought : output + (thought ?? 0),
  });
}
