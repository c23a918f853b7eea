import { countIn, isFields, type MeteredApi, readCounts, stringOrEmpty, strings } from './api.ts';

/** Ollama's own API: lines of JSON; the last one reports the counts. */
export const ollama: MeteredApi = {
  reads: ['prompt_eval_count', 'eval_count', 'done'],
  marks: ['eval_count"', 'prompt_eval_count"'], // the prompt's alone of embeddings
  yields: true,
  counts: (payload) =>
    readCounts({ input: countIn(payload, 'prompt_eval_count'), output: countIn(payload, 'eval_count') }),
  completes: ({ done }) => done === true,
  generated({ type, message, thinking, response }) {
    if (type !== undefined) return null;
    if (isFields(message)) return strings(message);
    return typeof thinking === 'string' || typeof response === 'string'
      ? stringOrEmpty(thinking) + stringOrEmpty(response)
      : null;
  },
  prompt: ['system', 'prompt', 'suffix', 'messages', 'input', 'tools'],
};
