/** Answers after which a call is made again, as long as nothing of an answer has come. */
const RETRIED = new Set([408, 429, 500, 502, 503, 504]);
export const MOST_RETRIES = 4;
const FIRST_DELAY_MS = 500;
/** A longer `retry-after` is not waited for: the person sees it instead. */
export const LONGEST_DELAY_MS = 60_000;

/** 520 to 529 are those of proxies and of overloaded engines. */
export function isRetried(status: number): boolean {
  return RETRIED.has(status) || (status >= 520 && status <= 529);
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

/** When the engine takes calls again, as a sentence: the span and the time of day. */
export function whenAgain(delayMs: number, now: Date): string {
  const at = new Date(now.getTime() + delayMs);
  const time = at.toLocaleString('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const minutes = Math.ceil(delayMs / 60_000);
  const span = minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 6) / 10} hours`;
  const day =
    delayMs < 12 * 3_600_000 ? '' : ` on ${at.toLocaleDateString('en-GB', { day: 'numeric', month: 'long' })}`;
  return `It takes calls again in ${span} (at ${time}${day}).`;
}
