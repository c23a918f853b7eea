import { countIn, isFields, type MeteredApi, type Reported, stringOrEmpty, strings, usageOf } from './api.ts';

/** Chat completions, and the completions before them. Groq and Moonshot report the usage of a stream in members of their own. */
export const chat: MeteredApi = {
  reads: ['usage', 'x_groq.usage', 'choices.*.usage'],
  marks: ['usage"', 'timings"'], // of llama.cpp
  counts: (payload) => usageOf(payload) ?? usageOf(payload['x_groq']) ?? usageOfChoices(payload['choices']),
  completes({ choices, usage }) {
    if (!Array.isArray(choices)) return false;
    if (!isFields(usage))
      return choices.some(
        (choice) => isFields(choice) && isFields(choice['usage']) && typeof choice['finish_reason'] === 'string',
      );
    return (
      choices.length === 0 || choices.some((choice) => isFields(choice) && typeof choice['finish_reason'] === 'string')
    );
  },
  generated({ choices }) {
    return Array.isArray(choices) ? choices.map(textOfChoice).join('') : null;
  },
  prompt: ['messages', 'functions', 'tools'],
};

/** Each choice repeats the prompt. A stream reports them one by one. */
function usageOfChoices(choices: unknown): Reported | null {
  if (!Array.isArray(choices)) return null;
  const reports = choices.flatMap((choice: unknown) => {
    const usage = usageOf(choice);
    return usage === null ? [] : [{ usage, index: countIn(choice, 'index') ?? 0 }];
  });
  const [first, ...more] = reports;
  if (first === undefined) return null;
  if (more.length === 0) return { ...first.usage, choice: first.index };
  return { ...first.usage, output: reports.reduce((sum, { usage: { output = 0 } }) => sum + output, 0) };
}

function textOfChoice(choice: unknown): string {
  if (!isFields(choice)) return '';
  const { text, delta, message } = choice;
  return stringOrEmpty(text) + strings(delta) + strings(message);
}
