/** Milliseconds since the epoch, or of a span. */
export type Moment = { readonly instant: number } | { readonly duration: number };

const DAY = 86_400_000;
const UNITS = [DAY, 3_600_000, 60_000, 1000, 1];

/** `datetime("…")` as the engine reads it. @returns null for what is left to the engine */
export function instantOf(text: string): Moment | null {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d{3})?Z)?$/.test(text)) return null;
  const instant = Date.parse(text);
  // `Date` reads February 30 as March 2, and 24:00 as the next day: the engine refuses both.
  if (Number.isNaN(instant) || !new Date(instant).toISOString().startsWith(text.slice(0, 19))) return null;
  return { instant };
}

/** `duration("…")`, likewise. */
export function durationOf(text: string): Moment | null {
  const found = /^(-?)(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+)s)?(?:(\d+)ms)?$/.exec(text);
  if (found === null || !/\d/.test(text)) return null;
  const sum = UNITS.reduce((total, unit, index) => total + unit * Number(found[index + 2] ?? 0), 0);
  if (!Number.isSafeInteger(sum)) return null;
  return { duration: found[1] === '-' ? 0 - sum : sum };
}

/** What has passed of an instant's day (UTC). */
export function timeOf({ instant }: { readonly instant: number }): Moment {
  return { duration: instant - Math.floor(instant / DAY) * DAY };
}

/** The beginning of an instant's day (UTC). */
export function dateOf({ instant }: { readonly instant: number }): Moment {
  return { instant: Math.floor(instant / DAY) * DAY };
}

/** Less than zero, zero or more; null where the two are not of one kind. */
export function compareMoments(one: Moment, other: Moment): number | null {
  if ('instant' in one && 'instant' in other) return one.instant - other.instant;
  return 'duration' in one && 'duration' in other ? one.duration - other.duration : null;
}
