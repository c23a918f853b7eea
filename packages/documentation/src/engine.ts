/** The search engine by itself, for measurements. */

export { passagesOf } from './corpus/passages.ts';
export { atOnce } from './corpus/sliced.ts';
export { splitCorpus } from './corpus/split.ts';
export { createEngine, type Engine } from './search/engine.ts';
