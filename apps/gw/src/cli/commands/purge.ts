import { WrongUsage } from '../../process/fault.ts';
import { defineCommand, isGiven, valueOf } from '../command/command.ts';

export const purge = defineCommand({
  usage: {
    name: 'gw purge',
    purpose:
      'Removes the entries of all records on this machine that were written before a date. What remains still verifies: a purge entry in each record holds the digests on both sides of what was removed.',
    options: [
      { long: '--before', value: '<date>', about: 'a day (2026-01-31, from 00:00 UTC) or an instant of ISO 8601' },
      { long: '--json', about: 'print the result as JSON' },
    ],
    notes: [
      'Purge entries themselves stay. A record with a broken chain is not changed.',
      'Exit code: 0 done; 1 a record is broken or could not be written; 2 wrong usage.',
    ],
    examples: [
      { line: 'gw purge --before 2026-01-31', does: 'removes what was recorded until the end of 30 January 2026' },
    ],
  },
  parse: (given) => ({ before: instantOf(valueOf(given, '--before')), json: isGiven(given, '--json') }),
  run: async (context, options) => (await import('./purge-run.ts')).runPurge(context, options),
});

const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** @throws WrongUsage for what is no date, such as 2026-02-30. */
function instantOf(text: string | null): Date {
  if (text === null) throw new WrongUsage('--before is missing. Give a date: gw purge --before 2026-01-31.');
  const instant = new Date(text);
  const isDate = DATE.test(text) && !Number.isNaN(instant.getTime());
  const isOfCalendar = isDate && new Date(`${text.slice(0, 10)}T00:00:00Z`).toISOString().startsWith(text.slice(0, 10));
  if (isOfCalendar) return instant;
  throw new WrongUsage(
    `--before must be a date such as 2026-01-31 or 2026-01-31T09:00:00Z, not ${JSON.stringify(text)}.`,
  );
}
