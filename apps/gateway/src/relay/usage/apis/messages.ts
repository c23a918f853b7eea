import { isFields, type MeteredApi, stringOrEmpty, strings, usageOf } from './api.ts';

/** Anthropic's messages: the first event of a stream reports the input, the one before the last the output. */
export const messages: MeteredApi = {
  reads: ['message.usage', 'type'],
  marks: ['usage"'],
  counts: ({ message }) => usageOf(message), // other events, and a plain answer, report it where a chat completion does
  completes: ({ type }) => type === 'message_stop',
  generated({ type, delta, content }) {
    if (isFields(delta)) return strings(delta);
    if (Array.isArray(content)) return strings(content);
    return /^(?:message|content_block)_/.test(stringOrEmpty(type)) ? '' : null;
  },
  prompt: ['system', 'messages', 'tools'],
};
