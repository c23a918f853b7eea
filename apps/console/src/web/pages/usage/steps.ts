export type Stretch = 'hour' | 'day' | 'month';

/** The beginning of the interval that contains an instant, in UTC, as the API names it. */
function beginning(at: Date, stretch: Stretch): Date {
  const hour = stretch === 'hour' ? at.getUTCHours() : 0;
  const day = stretch === 'month' ? 1 : at.getUTCDate();
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), day, hour));
}

function following(at: Date, stretch: Stretch): Date {
  const next = new Date(at);
  if (stretch === 'hour') next.setUTCHours(at.getUTCHours() + 1);
  if (stretch === 'day') next.setUTCDate(at.getUTCDate() + 1);
  if (stretch === 'month') next.setUTCMonth(at.getUTCMonth() + 1);
  return next;
}

/** When a stretch that begins at an instant is over. */
export const endOf = (step: string, stretch: Stretch): string => following(new Date(step), stretch).toISOString();

/** Every stretch of a period, named as the API names it: a chart shows those without a call too. */
export function stepsOf(from: string, until: Date, stretch: Stretch): string[] {
  const steps: string[] = [];
  for (let at = beginning(new Date(from), stretch); at < until; at = following(at, stretch)) {
    steps.push(at.toISOString());
  }
  return steps;
}

const FORMATS: Readonly<Record<Stretch, Intl.DateTimeFormatOptions>> = {
  hour: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: 'numeric' },
};

/** What a chart calls a stretch: 21 Nov, 14:00; 21 Nov; Nov 2026. */
export function labelOf(step: string, stretch: Stretch): string {
  return new Intl.DateTimeFormat('en-GB', { ...FORMATS[stretch], timeZone: 'UTC' }).format(new Date(step));
}
