import { countIn, isFields, type MeteredApi, readCounts, strings } from './api.ts';

/** Converse of AWS Bedrock, plain. Its input leaves out what was read from a cache and written to one. */
export const converse: MeteredApi = {
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
