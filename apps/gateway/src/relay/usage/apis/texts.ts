import { isFields } from './api.ts';

/** Members that contain names rather than generated text. */
const NAMES = new Set([
  'id',
  'call_id',
  'item_id',
  'tool_call_id',
  'tool_use_id',
  'type',
  'object',
  'role',
  'status',
  'model',
  'signature',
  'thoughtSignature',
  'encrypted_content',
  'finish_reason',
  'index',
  'annotations',
  'logprobs',
]);

/** Nesting that is still looked into. */
const DEEPEST = 12;

/** Text that a model reads or writes has a blank at least this often. */
const LONGEST_WORD = 1024;
const BEYOND_BASE64 = /[^\w+/=-]/;

/** Every string below a value, except names and embedded files. */
export function strings(value: unknown, depth = 0): string {
  if (typeof value === 'string') return isEmbedded(value) ? '' : value;
  if (depth > DEEPEST) return '';
  if (Array.isArray(value)) return value.map((one) => strings(one, depth + 1)).join(' ');
  if (!isFields(value)) return '';
  let text = '';
  for (const [name, one] of Object.entries(value)) if (!NAMES.has(name)) text += strings(one, depth + 1);
  return text;
}

export function stringOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Whether it is a file inside a payload: a data URL, or bare base64. */
function isEmbedded(text: string): boolean {
  return text.startsWith('data:') || (text.length > LONGEST_WORD && !BEYOND_BASE64.test(text));
}
