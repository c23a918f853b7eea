import type { Variable } from '../configuration/variable.ts';

/** The reference of the console's environment variables, made from what reads them. */
export function referenceOfVariables(variables: readonly Variable[]): string {
  const named = [...new Map(variables.map((variable) => [variable.name, variable])).values()];
  const entries = named.map(
    ({ name, profile, form, fallback, effect }) => `## ${name}

${effect}

- Value: ${form}.
- Absent: ${fallback ?? 'the console does not start'}.
- Read in: ${{ both: 'both profiles', serverless: 'the hosted profile', 'on-premise': 'the on-premise profile' }[profile]}.`,
  );
  return `# Variables of the console

This page is made from what reads the variables; a test holds it against that. A fault of any of them ends the start with exit
code 1 and one line on standard error that begins with the variable; all faults are told at once. A blank value counts as absent.

${entries.join('\n\n')}
`;
}
