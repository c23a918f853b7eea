import { ApiError } from './request.ts';

/** What the API tells while it works: one JSON value a line, as they come. Rejects with `ApiError` where it is refused. */
export async function* stream<Line>(path: string, body: unknown): AsyncGenerator<Line> {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    credentials: 'same-origin',
  });
  if (!answer.ok || answer.body === null) {
    const { error } = (await answer.json().catch(() => ({}))) as { error?: string };
    throw new ApiError(answer.status, error ?? `The console answered ${answer.status}.`);
  }
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as Line;
  }
}
