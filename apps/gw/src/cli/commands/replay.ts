import { defineCommand, isGiven } from '../command/command.ts';

export const replay = defineCommand({
  usage: {
    name: 'gw replay',
    purpose:
      'Prints what an agent session did, from its record on this machine, and verifies the chain of the record. Without a session it takes the latest one of this repository.',
    positionals: [{ name: '[session]', about: 'identifier of the session, as gw ls shows it' }],
    options: [
      { long: '--json', about: 'print the record as JSON' },
      { long: '--purges', about: 'list the entries that were purged, and the digests that still prove them' },
    ],
    notes: [
      'Each line has the number of an entry, its time (UTC), the time until the next one, its kind and its details.',
      'Exit code: 0 the chain holds; 2 it is broken, with the first entry that does not fit, or wrong usage.',
    ],
    examples: [
      { line: 'gw replay', does: 'prints the latest session of this repository' },
      { line: 'gw replay 0198c0de-0000-7000-8000-000000000000 --json', does: 'prints one session as JSON' },
      { line: 'gw replay --purges', does: 'lists what was purged from all records' },
    ],
  },
  parse: (given) => ({
    session: given.positionals[0] ?? null,
    json: isGiven(given, '--json'),
    purges: isGiven(given, '--purges'),
  }),
  run: async (context, options) => (await import('./replay-run.ts')).runReplay(context, options),
});
