import { inEnglish } from '@gateway/contract/labels';
import { legible } from '@gateway/contract/legible';
import { notifications } from '@mantine/notifications';
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';

/** What the console's API answers a refusal with (console-10): a sentence, and the fields at fault where it was bad input. */
export class ApiError extends Error {
  readonly status: number;
  /** The sentence of each field at fault. That of an item of a list, such as `paths.0`, belongs to the field of the list. */
  readonly fields: Readonly<Record<string, string>>;
  /** The unavailable part, if the console knows it: `database`. */
  readonly down: string | null;
  constructor(
    status: number,
    sentence: string,
    fields: Readonly<Record<string, string>> = {},
    down: string | null = null,
  ) {
    super(sentence);
    this.status = status;
    this.fields = byField(fields);
    this.down = down;
  }
}

/** The first sentence of each field: several items of a list may be at fault. */
function byField(fields: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const found = new Map<string, string>();
  for (const [name, sentence] of Object.entries(fields)) {
    const field = name.replace(/\.\d.*$/, '');
    if (!found.has(field)) found.set(field, sentence);
  }
  return Object.fromEntries(found);
}

interface Refusal {
  readonly error?: string;
  readonly fields?: Record<string, string>;
  readonly down?: string;
  /** The names of what still refers to a thing that cannot be deleted. */
  readonly referredToBy?: readonly string[];
}

async function refusalOf(answer: Response): Promise<ApiError> {
  try {
    const { error, fields, down, referredToBy = [] } = (await answer.json()) as Refusal;
    const said = error === undefined ? `The console answered ${answer.status}.` : inEnglish(error);
    const sentence =
      referredToBy.length === 0 ? said : `${said} Referring to it: ${referredToBy.map(legible).join(', ')}.`;
    return new ApiError(answer.status, sentence, fields ?? {}, down ?? null);
  } catch {
    return new ApiError(answer.status, `The console answered ${answer.status} without a reason.`);
  }
}

/** The fault of a request that got no answer, or no whole one; a request that the page cancelled keeps its own. */
function withoutAnswer(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return error;
  if (error instanceof SyntaxError)
    return new ApiError(200, 'Something between this page and the console answered instead of it. Reload the page.');
  return new ApiError(0, 'The console cannot be reached. Check that it still runs, then try again.');
}

/** What the console's own API answers when all is well. Rejects with `ApiError`; a console that cannot be reached is one with status 0. */
export async function ask(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const answer = await fetch(path, {
    method,
    headers: {
      accept: 'application/json',
      'x-gateway-console': 'page',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
    credentials: 'same-origin',
  }).catch((error: unknown) => {
    throw withoutAnswer(error, signal);
  });
  if (!answer.ok) throw await refusalOf(answer);
  return answer;
}

/** One call to the API, and the JSON it answers. */
export async function request<Answer>(
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<Answer> {
  const answer = await ask(method, path, body, signal);
  if (answer.status === 204) return undefined as Answer;
  return answer.json().catch((error: unknown) => {
    throw withoutAnswer(error, signal);
  }) as Promise<Answer>;
}

/** The faults that the API finds in the body of a change, by field, without making the change; none if it does not say. */
export async function faultsIn(method: string, path: string, body: unknown): Promise<Readonly<Record<string, string>>> {
  try {
    await ask(method, `${path}${path.includes('?') ? '&' : '?'}check=input`, body);
    return {};
  } catch (error) {
    return error instanceof ApiError && error.status === 400 ? error.fields : {};
  }
}

/** The API's progress reports: one JSON value a line, as they arrive. Rejects as `ask` does. */
export async function* stream<Line>(path: string, body: unknown): AsyncGenerator<Line> {
  const answer = await ask('POST', path, body);
  if (answer.body === null) return;
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as Line;
  }
}

/**
 * What an address of the API shows. While another address is read, what the one before showed stays on the screen; nothing is read
 * where there is no address yet.
 */
export function useRead<Answer>(path: string | null): UseQueryResult<Answer, ApiError> {
  return useQuery<Answer, ApiError>({
    queryKey: [path],
    enabled: path !== null,
    queryFn: ({ signal }) => request('GET', path ?? '', undefined, signal),
    placeholderData: keepPreviousData,
  });
}

/** Says that something was done. The message closes by itself. */
export function report(message: string): void {
  notifications.show({ message, color: 'teal' });
}

/** Says that something failed which nothing else on the page shows. The message stays until it is closed. */
export function reportFailure(message: string): void {
  notifications.show({ message, color: 'red', autoClose: false });
}
