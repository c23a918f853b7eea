type Fields = Readonly<Record<string, unknown>>;

/** Members of a payload that name things rather than hold what was said. */
const NAMES = new Set([
  'id',
  'type',
  'object',
  'role',
  'status',
  'model',
  'signature',
  'finish_reason',
  'index',
  'annotations',
  'logprobs',
]);

/** Nesting that is still looked into. */
const DEEPEST = 12;

/** Nothing that a model reads or writes as text goes on for so long without a blank. */
const LONGEST_WORD = 1024;
const BEYOND_BASE64 = /[^\w+/=-]/;

/** What a model said in one payload of an answer, whole or one event of a stream, in the shapes of the common services. */
export function generatedText(payload: unknown): string {
  if (Array.isArray(payload)) return payload.filter(isFields).map(generatedText).join(''); // TGI answers in one
  if (!isFields(payload)) return '';
  const { choices, delta, content, output } = payload;
  if (Array.isArray(choices)) return choices.map(textOfChoice).join('');
  if (typeof delta === 'string' || isFields(delta)) return strings(delta);
  if (Array.isArray(output)) return strings(output);
  if (Array.isArray(content)) return strings(content);
  const { type } = payload;
  return type === undefined || type === 'message.delta' || type === 'reasoning.delta' ? ownText(payload) : '';
}

/** What Ollama, llama.cpp, LM Studio and TGI say in their own forms, and a transcript. The last event of TGI says all of it again. */
function ownText(payload: Fields): string {
  const { message, response, thinking, content, token, generated_text: generated, text } = payload;
  if (isFields(message)) return strings(message);
  if (isFields(token)) return textOf(token['text']);
  return [thinking, response, content, generated, text].map(textOf).join('');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function textOfChoice(choice: unknown): string {
  if (!isFields(choice)) return '';
  const { text, delta, message } = choice;
  return textOf(text) + strings(delta) + strings(message);
}

/** What the caller said, in the members of a request that a model reads. */
export function promptText(request: unknown): string {
  if (!isFields(request)) return '';
  const { system, instructions, messages, prompt, input, inputs, tools } = request;
  const parts = [system, instructions, messages, prompt, input, inputs, tools].map((part) => strings(part));
  return parts.filter((part) => part !== '').join(' ');
}

/** Every string below a value, but for names and embedded files. */
function strings(value: unknown, depth = 0): string {
  if (typeof value === 'string') return isEmbedded(value) ? '' : value;
  if (depth > DEEPEST) return '';
  if (Array.isArray(value)) return value.map((one) => strings(one, depth + 1)).join(' ');
  if (!isFields(value)) return '';
  let text = '';
  for (const [name, one] of Object.entries(value)) if (!NAMES.has(name)) text += strings(one, depth + 1);
  return text;
}

/** Whether it is a file inside a payload: a data URL, or bare base64. */
function isEmbedded(text: string): boolean {
  return text.startsWith('data:') || (text.length > LONGEST_WORD && !BEYOND_BASE64.test(text));
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
