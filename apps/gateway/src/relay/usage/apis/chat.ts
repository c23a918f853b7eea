import { isFields, type MeteredApi } from './api.ts';
import { strings, textOf } from './texts.ts';
import { usageOf } from './usage-object.ts';

/** Chat completions, and the completions before them. Groq reports the usage of a stream in a member of its own. */
export const chat: MeteredApi = {
  reads: ['usage', 'x_groq.usage'],
  marks: ['usage"', 'timings"'], // of llama.cpp
  counts: (payload) => usageOf(payload) ?? usageOf(payload['x_groq']),
  completes({ choices, usage }) {
    if (!Array.isArray(choices) || !isFields(usage)) return false;
    return (
      choices.length === 0 || choices.some((choice) => isFields(choice) && typeof choice['finish_reason'] === 'string')
    );
  },
  generated({ choices }) {
    return Array.isArray(choices) ? choices.map(textOfChoice).join('') : null;
  },
  prompt: ['messages', 'functions', 'tools'],
};

function textOfChoice(choice: unknown): string {
  if (!isFields(choice)) return '';
  const { text, delta, message } = choice;
  return textOf(text) + strings(delta) + strings(message);
}
