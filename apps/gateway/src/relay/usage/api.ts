/** A JSON object of an answer or of a request. */
export type Fields = Readonly<Record<string, unknown>>;

/** The token counts that one payload reports. Missing counts are absent. */
export interface Reported {
  readonly input?: number;
  /** Whether the input leaves out what was read from a cache and written to one. */
  readonly isCacheApart?: boolean;
  readonly cached?: number;
  readonly written?: number;
  readonly output?: number;
  /** The choice whose output alone this is: the outputs of several choices add up. */
  readonly choice?: number;
}

/**
 * An API whose calls are metered: where its answers report tokens, which event completes one, and what its model reads and
 * generates. A payload is an answer, or one event or line of a stream. Every API checks every payload: only the payload shows
 * which API an engine uses.
 */
export interface MeteredApi {
  /** Paths of the members that `counts` reads. Each is read by itself, and so is `completes` where the payload is long. */
  readonly reads: readonly string[];
  /** How the names of members end that report counts: few bytes to look for in an answer. */
  readonly marks: readonly string[];
  /** Marks of members that appear beside the counts of other APIs. */
  readonly beside?: readonly string[];
  /** Every event reports the counts so far, so only the last of several is read. */
  readonly repeats?: boolean;
  /** Its counts apply only where no other API reports any. */
  readonly yields?: boolean;
  counts(payload: Fields): Reported | null;
  /** Whether a caller with this payload has the whole answer. */
  completes(payload: Fields): boolean;
  /** The text that the model generated in a payload; null: the payload is of another API. */
  generated(payload: Fields): string | null;
  /** Members of a request that the model reads. */
  readonly prompt: readonly string[];
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A call reads and writes a few million tokens at most: a greater number is a fault of the engine, and would use up any cap. */
const MOST_TOKENS = 1e9;

/**
 * The first token count above 0 among some members, otherwise 0 if one reports 0: services fill in names that they do not use.
 */
export function countIn(holder: unknown, ...names: readonly string[]): number | undefined {
  if (!isFields(holder)) return undefined;
  let first: number | undefined;
  for (const name of names) {
    const count = holder[name];
    if (!isCount(count)) continue;
    if (count > 0) return count;
    first ??= count;
  }
  return first;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_TOKENS;
}

/** Without the members that are absent; null where nothing is left. */
export function readCounts(
  counts: {
    readonly [Name in keyof Omit<Reported, 'choice'>]: Reported[Name] | undefined;
  },
): Reported | null {
  let found: { -readonly [Name in keyof Reported]: Reported[Name] } | null = null;
  const { input, isCacheApart, cached, written, output } = counts;
  if (input !== undefined) (found ??= {}).input = input;
  if (isCacheApart !== undefined) (found ??= {}).isCacheApart = isCacheApart;
  if (cached !== undefined) (found ??= {}).cached = cached;
  if (written !== undefined) (found ??= {}).written = written;
  if (output !== undefined) (found ??= {}).output = output;
  return found;
}

/**
 * A `usage` object, in the names of chat completions, responses or messages. OpenAI's input includes cached tokens; Anthropic's
 * excludes them and reports them separately (relay-28). An object in other names is not read: the call is estimated (relay-40).
 */
export function usageOf(payload: unknown): Reported | null {
  const usage = isFields(payload) ? payload['usage'] : null;
  return isFields(usage) ? readUsage(usage) : null;
}

function readUsage(usage: Fields): Reported | null {
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

/** Members that contain names rather than generated text. */
const TEXT_NAMES = new Set([
  'id',
  'call_id',
  'item_id',
  'tool_call_id',
  'tool_use_id',
  'type',
  'object',
  'role',
  'status',
  'model',
  'signature',
  'thoughtSignature',
  'encrypted_content',
  'finish_reason',
  'index',
  'annotations',
  'logprobs',
]);

/** Nesting that is still looked into. */
const DEEPEST = 12;

/** Text that a model reads or writes has a blank at least this often. */
const LONGEST_WORD = 1024;
const BEYOND_BASE64 = /[^\w+/=-]/;

/** Every string below a value, except names and embedded files. */
export function strings(value: unknown, depth = 0): string {
  if (typeof value === 'string') return isEmbedded(value) ? '' : value;
  if (depth > DEEPEST) return '';
  if (Array.isArray(value)) return value.map((one) => strings(one, depth + 1)).join(' ');
  if (!isFields(value)) return '';
  let text = '';
  for (const [name, one] of Object.entries(value)) if (!TEXT_NAMES.has(name)) text += strings(one, depth + 1);
  return text;
}

export function stringOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Whether it is a file inside a payload: a data URL, or bare base64. */
function isEmbedded(text: string): boolean {
  return text.startsWith('data:') || (text.length > LONGEST_WORD && !BEYOND_BASE64.test(text));
}
