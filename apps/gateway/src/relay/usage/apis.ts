import {
  countIn,
  type Fields,
  isFields,
  type MeteredApi,
  type Reported,
  readCounts,
  stringOrEmpty,
  strings,
  usageOf,
} from './api.ts';

const LAST_RESPONSES_EVENTS = new Set(['response.completed', 'response.incomplete', 'response.failed']);

/** OpenAI's responses. The first and last events contain the whole answer. */
const responses: MeteredApi = {
  reads: ['response.usage', 'type'],
  marks: ['usage"'],
  counts: ({ response }) => usageOf(response), // a plain answer reports its usage where a chat completion does
  completes: ({ type }) => LAST_RESPONSES_EVENTS.has(stringOrEmpty(type)),
  generated({ type, delta, output }) {
    if (typeof delta === 'string') return type === 'response.audio.delta' ? '' : strings(delta);
    if (Array.isArray(output)) return strings(output);
    return stringOrEmpty(type).startsWith('response.') ? '' : null;
  },
  prompt: ['instructions', 'input', 'tools'],
};

/** Embeddings of Vertex AI (`:predict`): each prediction counts the tokens of its instance. */
const predictions: MeteredApi = {
  reads: ['predictions.*.embeddings.statistics'],
  marks: ['token_count"'],
  counts({ predictions: all }) {
    if (!Array.isArray(all)) return null;
    const each = all.map(tokensOfPrediction).filter((count) => count !== undefined);
    const input = each.length === 0 ? undefined : each.reduce((sum, count) => sum + count, 0);
    return readCounts({ input, isCacheApart: undefined, cached: undefined, written: undefined, output: undefined });
  },
  completes: () => false,
  generated: () => null,
  prompt: ['instances'],
};

function tokensOfPrediction(prediction: unknown): number | undefined {
  const embeddings = isFields(prediction) ? prediction['embeddings'] : null;
  return isFields(embeddings) ? countIn(embeddings['statistics'], 'token_count') : undefined;
}

/** Ollama's own API: lines of JSON; the last one reports the counts. */
const ollama: MeteredApi = {
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

/** Anthropic's messages: the first event of a stream reports the input, the one before the last the output. */
const messages: MeteredApi = {
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

/** llama.cpp's own API, and the timings that it adds to the answers of every other one. */
const llamaCpp: MeteredApi = {
  reads: ['tokens_evaluated', 'tokens_predicted', 'timings', 'stop'],
  marks: ['usage"', 'tokens_predicted"', 'timings"'],
  beside: ['timings"'],
  yields: true,
  counts(payload) {
    const { timings } = payload;
    const [fresh, cached] = [countIn(timings, 'prompt_n'), countIn(timings, 'cache_n')];
    return readCounts({
      input: countIn(payload, 'tokens_evaluated') ?? (fresh === undefined ? undefined : fresh + (cached ?? 0)),
      cached,
      output: countIn(payload, 'tokens_predicted') ?? countIn(timings, 'predicted_n'),
    });
  },
  completes: ({ stop }) => stop === true,
  generated: ({ type, content }) => (type === undefined && typeof content === 'string' ? content : null),
  prompt: ['prompt', 'input_prefix', 'input_suffix'],
};

/** Older names of the last event are among them. */
const LAST = new Set(['interaction.completed', 'interaction.complete', 'interaction.failed']);

/** Gemini's interactions, which have names of their own. The last event of a stream contains the interaction. */
const interactions: MeteredApi = {
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

/** Gemini's generateContent, plain and streamed: as events, or as the elements of one array. Each reports the counts so far. */
const gemini: MeteredApi = {
  reads: ['usageMetadata'],
  marks: ['usageMetadata"'],
  repeats: true,
  counts({ usageMetadata: usage }) {
    const [prompt, tools] = [countIn(usage, 'promptTokenCount'), countIn(usage, 'toolUsePromptTokenCount')];
    const [answer, thought] = [countIn(usage, 'candidatesTokenCount'), countIn(usage, 'thoughtsTokenCount')];
    return readCounts({
      input: prompt === undefined ? tools : prompt + (tools ?? 0),
      cached: countIn(usage, 'cachedContentTokenCount'),
      output: answer === undefined ? thought : answer + (thought ?? 0),
    });
  },
  completes({ candidates, usageMetadata }) {
    if (!Array.isArray(candidates) || !isFields(usageMetadata)) return false;
    return candidates.some((one) => isFields(one) && typeof one['finishReason'] === 'string');
  },
  generated({ candidates }) {
    if (!Array.isArray(candidates)) return null;
    return candidates.map((one) => (isFields(one) ? strings(one['content']) : '')).join('');
  },
  prompt: ['systemInstruction', 'system_instruction', 'contents', 'content', 'requests', 'tools'],
};

/** Converse of AWS Bedrock, plain. Its input leaves out what was read from a cache and written to one. */
const converse: MeteredApi = {
  reads: ['usage'],
  marks: ['usage"'],
  counts: ({ usage }) =>
    readCounts({
      input: countIn(usage, 'inputTokens'),
      isCacheApart: isFields(usage) && 'inputTokens' in usage ? true : undefined,
      cached: countIn(usage, 'cacheReadInputTokens'),
      written: countIn(usage, 'cacheWriteInputTokens'),
      output: countIn(usage, 'outputTokens'),
    }),
  completes: () => false, // it is plain: whole once all of it has arrived
  generated: ({ output }) => (isFields(output) && isFields(output['message']) ? strings(output['message']) : null),
  prompt: ['system', 'messages', 'toolConfig'],
};

/** Cohere's own API: `meta` of an answer, `usage` of the second version, and the last event of a stream of either. */
const cohere: MeteredApi = {
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

/** Chat completions, and the completions before them. Groq and Moonshot report the usage of a stream in members of their own. */
const chat: MeteredApi = {
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

const STUDIO = new Set<unknown>(['message.delta', 'reasoning.delta']);

/** Forms that report no counts: TGI, whose last event repeats the whole text, LM Studio's events, and transcripts. */
const unreported: MeteredApi = {
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

/** Every metered API. */
const APIS: readonly MeteredApi[] = [
  chat,
  responses,
  interactions,
  cohere,
  messages,
  gemini,
  ollama,
  llamaCpp,
  converse,
  predictions,
  unreported,
];

const distinct = (of: (api: MeteredApi) => readonly string[]): readonly string[] => [...new Set(APIS.flatMap(of))];

/** Paths of the members that report counts, or that an answer is complete. */
export const READ_MEMBERS = distinct(({ reads }) => reads);
/** The characters before the value of a member that reports counts. */
export interface Mark {
  readonly bytes: Buffer;
  /** Every event of a stream has it, with the counts so far. */
  readonly repeats: boolean;
}

const marksOf = (apis: readonly MeteredApi[]): readonly Mark[] =>
  [...new Set(apis.flatMap(({ marks }) => marks))].map((mark) => ({
    bytes: Buffer.from(mark),
    repeats: APIS.some(({ marks, repeats }) => repeats === true && marks.includes(mark)),
  }));

/** The most common first. */
export const MARKS = marksOf(APIS);
export const MARKS_BESIDE = distinct(({ beside = [] }) => beside).map((mark) => Buffer.from(mark));
const MARKS_OF_EACH = new Map(APIS.map((api) => [api, marksOf([api])]));

/** What to look for in a stream that begins with a payload; null: its API is not recognized. */
export function marksFor(payload: Fields): readonly Mark[] | null {
  const api = APIS.find((one) => one.marks.length > 0 && one.generated(payload) !== null);
  return (api && MARKS_OF_EACH.get(api)) ?? null;
}

const PROMPT_MEMBERS = distinct(({ prompt }) => prompt);

/** What a payload reports, and whether it yields to what others report. */
export function reportCounts(payload: Fields, report: (counts: Reported, yields: boolean) => void): void {
  for (const api of APIS) {
    const counts = api.counts(payload);
    if (counts !== null) report(counts, api.yields === true);
  }
}

/** Whether a caller with this payload has the whole answer. */
export function completes(payload: Fields): boolean {
  return APIS.some((api) => api.completes(payload));
}

/** The text that a model generated in one payload, a whole answer or one event of a stream. */
export function readGeneratedText(payload: unknown): string {
  if (Array.isArray(payload)) return payload.filter(isFields).map(readGeneratedText).join(''); // of TGI, and of Gemini
  if (!isFields(payload)) return '';
  for (const api of APIS) {
    const text = api.generated(payload);
    if (text !== null) return text;
  }
  return '';
}

/** The caller's text, in the members of a request that a model reads. */
export function promptText(request: unknown): string {
  if (!isFields(request)) return '';
  const parts = PROMPT_MEMBERS.map((name) => strings(request[name]));
  return parts.filter((part) => part !== '').join(' ');
}

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
