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
