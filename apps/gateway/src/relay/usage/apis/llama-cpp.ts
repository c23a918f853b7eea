import { countIn, type MeteredApi, readCounts } from './api.ts';

/** llama.cpp's own API, and the timings that it adds to the answers of every other one. */
export const llamaCpp: MeteredApi = {
  reads: ['tokens_evaluated', 'tokens_predicted', 'timings', 'stop'],
  marks: ['usage"', 'tokens_predicted"', 'timings"'],
  beside: ['timings"'],
  yields: true,
  counts(payload) {
    const { timings } = payload;
    const [fresh, cached] = [countIn(timings, 'prompt_n'), countIn(timings, 'cache_n')];
    return readCounts({
      input: countIn(payload, 'tokens_evaluated') ?? (fresh === undefined ? undefined : fresh + (cached ?? 0)),
      cached,
      output: countIn(payload, 'tokens_predicted') ?? countIn(timings, 'predicted_n'),
    });
  },
  completes: ({ stop }) => stop === true,
  generated: ({ type, content }) => (type === undefined && typeof content === 'string' ? content : null),
  prompt: ['prompt', 'input_prefix', 'input_suffix'],
};
