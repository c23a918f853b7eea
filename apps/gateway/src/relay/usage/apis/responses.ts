import { type MeteredApi, stringOrEmpty, strings, usageOf } from './api.ts';

const LAST = new Set(['response.completed', 'response.incomplete', 'response.failed']);

/** OpenAI's responses. The first and last events contain the whole answer. */
export const responses: MeteredApi = {
  reads: ['response.usage', 'type'],
  marks: ['usage"'],
  counts: ({ response }) => usageOf(response), // a plain answer reports its usage where a chat completion does
  completes: ({ type }) => LAST.has(stringOrEmpty(type)),
  generated({ type, delta, output }) {
    if (typeof delta === 'string') return type === 'response.audio.delta' ? '' : strings(delta);
    if (Array.isArray(output)) return strings(output);
    return stringOrEmpty(type).startsWith('response.') ? '' : null;
  },
  prompt: ['instructions', 'input', 'tools'],
};
