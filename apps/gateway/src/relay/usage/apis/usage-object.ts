import { countIn, isFields, type Reported, readCounts } from './api.ts';

/**
 * A `usage` object, in the names of chat completions, responses or messages. OpenAI's input includes cached tokens; Anthropic's
 * excludes them and reports them separately (relay-28). Some embedding services report only the total.
 */
export function usageOf(payload: unknown): Reported | null {
  const usage = isFields(payload) ? payload['usage'] : null;
  if (!isFields(usage)) return null;
  const input = countIn(usage, 'prompt_tokens', 'input_tokens');
  const output = countIn(usage, 'completion_tokens', 'output_tokens');
  const isChat = input !== undefined && usage['prompt_tokens'] === input;
  const details = usage['prompt_tokens_details'] ?? usage['input_tokens_details'];
  const read = countIn(usage, 'cache_read_input_tokens');
  const created = countIn(usage, 'cache_creation_input_tokens');
  return readCounts({
    input: NAMES.some((name) => usage[name] != null) ? input : countIn(usage, 'total_tokens'),
    isCacheApart: isApart(isChat || isFields(details), read ?? created),
    cached: countIn(details, 'cached_tokens') ?? read ?? countIn(usage, 'prompt_cache_hit_tokens'),
    written: created ?? countIn(details, 'cache_write_tokens'),
    output,
  });
}

const NAMES = ['prompt_tokens', 'input_tokens', 'completion_tokens', 'output_tokens', 'cache_read_input_tokens'];

/** Undefined where the object does not show it: an earlier event may have. */
function isApart(isWhole: boolean, cache: number | undefined): boolean | undefined {
  if (isWhole) return false;
  return cache === undefined ? undefined : true;
}
