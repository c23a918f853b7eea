/** The part of an answer, or of a refusal, that a person reads. */
interface Read {
  readonly choices?: readonly { readonly message?: { readonly content?: unknown } }[];
  readonly error?: unknown;
}

function partText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  const { message } = (value ?? {}) as { readonly message?: unknown };
  return typeof message === 'string' ? message : null;
}

/** What an answer says: the first choice of a completion, the sentence of a refusal; anything else as it came. */
export function answerText(body: string): string {
  try {
    const { choices, error } = (JSON.parse(body) ?? {}) as Read;
    return partText(choices?.[0]?.message?.content) ?? partText(error) ?? body;
  } catch {
    return body;
  }
}
