import { countIn, isFields, type MeteredApi, readCounts } from './api.ts';

/** Embeddings of Vertex AI (`:predict`): each prediction counts the tokens of its instance. */
export const predictions: MeteredApi = {
  reads: ['predictions.*.embeddings.statistics'],
  marks: ['token_count"'],
  counts({ predictions: all }) {
    if (!Array.isArray(all)) return null;
    const each = all.map(tokensOf).filter((count) => count !== undefined);
    const input = each.length === 0 ? undefined : each.reduce((sum, count) => sum + count, 0);
    return readCounts({ input, isCacheApart: undefined, cached: undefined, written: undefined, output: undefined });
  },
  completes: () => false,
  generated: () => null,
  prompt: ['instances'],
};

function tokensOf(prediction: unknown): number | undefined {
  const embeddings = isFields(prediction) ? prediction['embeddings'] : null;
  return isFields(embeddings) ? countIn(embeddings['statistics'], 'token_count') : undefined;
}
