import { type Api, type Body, type Counts, isCall, type Turn } from './turn.ts';

const partsOf = (body: Body): Body[] => (body.contents ?? []).flatMap(({ parts }: Body) => parts ?? []);

function response(turn: Turn, { input, cached, output }: Counts): object {
  const part = isCall(turn) ? { functionCall: { name: turn.tool, args: turn.input } } : { text: turn.text };
  return {
    candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
    usageMetadata: {
      promptTokenCount: input,
      cachedContentTokenCount: cached,
      candidatesTokenCount: output,
      totalTokenCount: input + output,
    },
    modelVersion: 'served',
  };
}

/** Gemini's own API. */
export const gemini: Api = {
  offered: (body) =>
    (body.tools ?? []).flatMap((tool: Body) => (tool.functionDeclarations ?? []).map(({ name }: Body) => name)),
  results: (body) =>
    partsOf(body)
      .filter((part) => 'functionResponse' in part)
      .map((part) => JSON.stringify(part.functionResponse.response)),
  streams: (_, url) => url.includes(':streamGenerateContent'),
  reports: () => true,
  answer: (turn, counts) => response(turn, counts),
  stream: (turn, counts) => [`data: ${JSON.stringify(response(turn, counts))}\r\n\r\n`],
};
