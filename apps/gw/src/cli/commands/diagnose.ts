import { defineCommand, EXIT, isGiven, valueOf } from '../command/command.ts';

export const diagnose = defineCommand({
  usage: {
    name: 'gw diagnose',
    purpose:
      'Writes a report of what this client finds on this machine: versions, terminal, proxies, certificates, tools, repository, the .gateway directories, configuration, agents and instructions, and first of all what is wrong and how to fix it. Secrets, the values of variables and your name are left out. No connection is made. Read it before you hand it on.',
    options: [
      {
        long: '--output',
        value: '<file>',
        about: 'write to this file; - is standard output (default: ./gw-diagnostic-<instant>.txt)',
      },
      { long: '--force', about: 'replace the file of --output' },
      { long: '--config', value: '<file>', about: 'check this configuration instead of those found' },
      { long: '--json', about: 'write the report as JSON' },
    ],
    notes: ['Exit code: 0 the report was written, whatever it found; 1 it could not be written; 2 wrong usage.'],
    examples: [
      { line: 'gw diagnose', does: 'writes the report into the current directory' },
      { line: 'gw diagnose --output - --json', does: 'prints it as JSON' },
    ],
  },
  parse: (given) => ({
    output: valueOf(given, '--output'),
    force: isGiven(given, '--force'),
    config: valueOf(given, '--config'),
    json: isGiven(given, '--json'),
  }),
  async run(context, options) {
    await (await import('./diagnose-run.ts')).runDiagnose(context, options);
    return EXIT.done;
  },
});
