import { countIn, type Fields, isFields, type Reported, readCounts } from './api.ts';

/**
 * A `usage` object, in the names of chat completions, responses or messages. OpenAI's input includes cached tokens; Anthropic's
 * excludes them and reports them separately (relay-28). An object in other names is not read: the call is estimated (relay-40).
 */
export function usageOf(payload: unknown): Reported | null {
  const usage = isFields(payload) ? payload['usage'] : null;
  return isFields(usage) ? readUsage(usage) : null;
}

export function readUsage(usage: Fields): Reported | null {
  if (!NAMES.some((name) => usage[name] != null)) return readTotal(usage);
  const all = iterationsOf(usage);
  const reported = countIn(usage, 'prompt_tokens', 'input_tokens');
  const isChat = reported !== undefined && usage['prompt_tokens'] === reported;
  const details = DETAILS.map((name) => usage[name]).find(isFields);
  const read = most(countIn(usage, 'cache_read_input_tokens'), all?.cached);
  const created = most(countIn(usage, 'cache_creation_input_tokens'), all?.written);
  return readCounts({
    input: most(reported, all?.input),
    isCacheApart: isApart(isChat || details !== undefined, read ?? created),
    cached: most(countIn(details, 'cached_tokens') ?? read, countIn(usage, ...CACHED)),
    written: created ?? countIn(details, 'cache_write_tokens', 'cache_creation_input_tokens'),
    output: most(outputOf(usage), all?.output),
  });
}

const NAMES = [
  'prompt_tokens',
  'input_tokens',
  'completion_tokens',
  'output_tokens',
  'cache_read_input_tokens',
  'iterations',
];

/** The second of Mistral, beside the first. */
const DETAILS = ['prompt_tokens_details', 'prompt_token_details', 'input_tokens_details'];
/** Without details: of DeepSeek, Moonshot and Mistral. */
const CACHED = ['prompt_cache_hit_tokens', 'cached_tokens', 'num_cached_tokens'];

/** Some engines count reasoning only in the total of a chat completion (relay-40). */
function outputOf(usage: Fields): number | undefined {
  const output = countIn(usage, 'completion_tokens', 'output_tokens');
  const [prompt, total] = [countIn(usage, 'prompt_tokens'), countIn(usage, 'total_tokens')];
  const beside = prompt === undefined || total === undefined ? 0 : total - prompt;
  return beside > 0 ? Math.max(beside, output ?? 0) : output;
}

/** Members beside a total that show that it counts text or pictures, or that count something else than tokens. */
const BESIDE_TOTAL = new Set(['total_tokens', 'text_tokens', 'image_tokens', 'image_pixels', 'video_pixels', 'cost']);

/** Some embedding services report only the total. */
function readTotal(usage: Fields): Reported | null {
  const isKnown = Object.entries(usage).every(
    ([name, value]) => value === null || BESIDE_TOTAL.has(name) || NAMES.includes(name),
  );
  return isKnown ? readCounts({ ...NOTHING, input: countIn(usage, 'total_tokens') }) : null;
}

const NOTHING = { input: undefined, isCacheApart: undefined, cached: undefined, written: undefined, output: undefined };

/** Messages that compacted the context or called another model: the counts beside this list are those of the last iteration alone. */
function iterationsOf({ iterations }: Fields): Omit<Reported, 'isCacheApart'> | null {
  if (!Array.isArray(iterations) || iterations.length === 0) return null;
  const sum = (name: string): number | undefined => {
    const counts = iterations.map((one) => countIn(one, name)).filter((count) => count !== undefined);
    return counts.length === 0 ? undefined : counts.reduce((total, count) => total + count, 0);
  };
  return readCounts({
    ...NOTHING,
    input: sum('input_tokens'),
    cached: sum('cache_read_input_tokens'),
    written: sum('cache_creation_input_tokens'),
    output: sum('output_tokens'),
  });
}

function most(count: number | undefined, other: number | undefined): number | undefined {
  if (count === undefined || other === undefined) return count ?? other;
  return Math.max(count, other);
}

/** Undefined where the object does not show it: an earlier event may have. */
function isApart(isWhole: boolean, cache: number | undefined): boolean | undefined {
  if (isWhole) return false;
  return cache === undefined ? undefined : true;
}
