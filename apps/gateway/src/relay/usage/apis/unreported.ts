import { isFields, type MeteredApi } from './api.ts';
import { stringOrEmpty } from './texts.ts';

const STUDIO = new Set<unknown>(['message.delta', 'reasoning.delta']);

/** Forms that report no counts: TGI, whose last event repeats the whole text, LM Studio's events, and transcripts. */
export const unreported: MeteredApi = {
  reads: [],
  marks: [],
  counts: () => null,
  completes: () => false,
  generated({ type, token, content, generated_text: generated, text }) {
    if (STUDIO.has(type)) return stringOrEmpty(content);
    if (type !== undefined) return null;
    return isFields(token) ? stringOrEmpty(token['text']) : stringOrEmpty(generated) + stringOrEmpty(text);
  },
  prompt: ['inputs', 'query', 'documents', 'texts'], // of embeddings and rankings
};
