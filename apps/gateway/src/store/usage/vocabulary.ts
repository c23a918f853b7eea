import { countTokens, setMergeCacheSize } from 'gpt-tokenizer/encoding/cl100k_base';

/*
 * The tables of the tokenizer: a file of its own in an artifact too, for most gateways never read it. It would remember the words
 * it took apart, and each of them the whole text it was cut from: prompts would stay in memory, by the hundred megabytes.
 */
setMergeCacheSize(0);

export { countTokens };
