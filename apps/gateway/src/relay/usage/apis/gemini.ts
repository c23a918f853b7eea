import { countIn, isFields, type MeteredApi, readCounts, strings } from './api.ts';

/** Gemini's generateContent, plain and streamed: as events, or as the elements of one array. Each reports the counts so far. */
export const gemini: MeteredApi = {
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
