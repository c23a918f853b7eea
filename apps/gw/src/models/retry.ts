/** Answers after which a call is made again, as long as nothing of an answer has come. */
const RETRIED = new Set([429, 502, 503, 504]);
export const MOST_RETRIES = 4;
const FIRST_DELAY_MS = 500;
/** A longer `retry-after` is not waited for: the person sees it instead. */
export const LONGEST_DELAY_MS = 120_000;

export function isRetried(status: number): boolean {
  return RETRIED.has(status);
}

/**
 * Milliseconds until the next try: 500, 1000, 2000, 4000, or what `retry-after` says (seconds or a date).
 * @param retry counts from 0.
 */
export function delayBefore(retry: number, retryAfter: string | undefined, now: Date): number {
  const doubled = FIRST_DELAY_MS * 2 ** retry;
  if (retryAfter === undefined || retryAfter.trim() === '') return doubled;
  const seconds = Number(retryAfter);
  const asked = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(retryAfter) - now.getTime();
  return Number.isFinite(asked) && asked >= 0 ? asked : doubled;
}
