import { countTokens, setMergeCacheSize } from 'gpt-tokenizer/encoding/cl100k_base';

/*
 * The tables of the tokenizer: a separate file in an artifact, too, because most gateways never read it. Its cache of words would
 * keep the whole texts alive from which they were cut: hundreds of megabytes of prompts.
 */
setMergeCacheSize(0);

export { countTokens };
