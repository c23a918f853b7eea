/* The tables of the tokenizer: a file of its own in an artifact too, for most gateways never read it. */
export { countTokens } from 'gpt-tokenizer/encoding/cl100k_base';
