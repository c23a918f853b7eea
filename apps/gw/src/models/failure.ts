import { ContextExceeded, ModelFailed } from '../agent/types.ts';

/** How engines name the error in `code` or `type`: OpenAI and others, llama.cpp. */
const CODES = new Set(['context_length_exceeded', 'exceed_context_size_error']);
/** What engines say; the number is what the model takes. */
const SENTENCES = [
  /\b(?:maximum|model's) context length is (?:only )?(?<tokens>\d+)/i, // OpenAI, vLLM
  /exceeds the available context size(?: \((?<tokens>\d+) tokens\))?/i, // llama.cpp
  /prompt is too long(?:: \d+ tokens > (?<tokens>\d+))?/i, // Anthropic
  /too large for model with (?<tokens>\d+) maximum context length/i, // Mistral
  /input token count .{0,40}exceeds the maximum number of tokens allowed(?: \((?<tokens>\d+)\))?/i, // Gemini
];

/** The fault that an engine's error stands for. `sentence` is its text, or a substitute where it has none. */
export function failureOf(value: unknown, sentence: string, status: number | null): ModelFailed {
  const { error = value } = (typeof value === 'object' && value !== null ? value : {}) as { readonly error?: unknown };
  const { code, type, n_ctx } = (typeof error === 'object' && error !== null ? error : {}) as {
    readonly [name in 'code' | 'type' | 'n_ctx']?: unknown;
  };
  const found = SENTENCES.map((pattern) => pattern.exec(errorText(value) ?? '')).find((match) => match !== null);
  if (found === undefined && !CODES.has(String(code)) && !CODES.has(String(type)))
    return new ModelFailed(sentence, status);
  const tokens = Number(n_ctx ?? found?.groups?.['tokens']);
  return new ContextExceeded(sentence, status, Number.isSafeInteger(tokens) && tokens > 0 ? tokens : null);
}

/** The sentence of an error: `{error: "…"}` as the gateway answers, `{error: {message}}` as engines do. */
export function errorText(value: unknown, levels = 4): string | null {
  if (typeof value !== 'object' || value === null || levels === 0) return null;
  const { error, message, detail } = value as Partial<Record<'error' | 'message' | 'detail', unknown>>;
  for (const candidate of [error, message, detail]) {
    if (typeof candidate === 'string' && candidate.trim() !== '') return candidate;
    const nested = errorText(candidate, levels - 1);
    if (nested !== null) return nested;
  }
  return null;
}

/** Reasons of the gateway for which it ends an answer that has begun, with the status it would have refused the call with. */
const ENDED: Readonly<Record<string, number>> = {
  'session-revoked': 403,
  'subject-revoked': 403,
  'endpoint-disabled': 403,
  'role-missing': 403,
  'policy-forbids': 403,
  'key-revoked': 401,
  'key-expired': 401,
  'account-disabled': 401,
  'token-expired': 401,
};

/** The refusal that an event in a stream stands for: `{error, code}`; null where it is another fault. */
export function refusalOf(value: unknown): { readonly status: number; readonly revoked: boolean } | null {
  const { code, error } = (value ?? {}) as { readonly code?: unknown; readonly error?: unknown };
  const nested = typeof error === 'object' && error !== null ? (error as { readonly code?: unknown }).code : undefined;
  const name = String(code ?? nested);
  const status = Object.hasOwn(ENDED, name) ? ENDED[name] : undefined;
  return status === undefined ? null : { status, revoked: name === 'session-revoked' };
}
