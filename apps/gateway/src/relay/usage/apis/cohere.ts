import { countIn, isFields, type MeteredApi, type Reported, readCounts, stringOrEmpty } from './api.ts';

/** Cohere's own API: `meta` of an answer, `usage` of the second version, and the last event of a stream of either. */
export const cohere: MeteredApi = {
  reads: ['meta', 'response.meta', 'usage', 'delta.usage', 'is_finished'],
  marks: ['billed_units"', 'tokens"'],
  counts: ({ meta, response, usage, delta }) =>
    unitsOf(meta) ??
    unitsOf(isFields(response) ? response['meta'] : null) ??
    unitsOf(usage) ??
    unitsOf(isFields(delta) ? delta['usage'] : null),
  completes: ({ type, is_finished: isFinished }) => type === 'message-end' || isFinished === true,
  // Other answers have their texts where those of other APIs have them.
  generated: ({ event_type: event, text }) => (event === 'text-generation' ? stringOrEmpty(text) : null),
  prompt: ['preamble', 'chat_history', 'message', 'documents', 'texts'],
};

/** What is billed, otherwise what was counted. Units of searches are no tokens. */
function unitsOf(holder: unknown): Reported | null {
  if (!isFields(holder)) return null;
  const cached = countIn(holder, 'cached_tokens');
  return tokensOf(holder['billed_units'], cached) ?? tokensOf(holder['tokens'], cached);
}

function tokensOf(units: unknown, cached: number | undefined): Reported | null {
  const [input, output] = [countIn(units, 'input_tokens'), countIn(units, 'output_tokens')];
  if (input === undefined && output === undefined) return null;
  return readCounts({ input, isCacheApart: undefined, cached, written: undefined, output });
}
