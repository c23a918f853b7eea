import { ask } from './request.ts';

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
