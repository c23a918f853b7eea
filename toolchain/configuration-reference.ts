/** A variable as both services describe what they read. */
interface Variable {
  readonly name: string;
  readonly profile: 'both' | 'on-premise' | 'serverless';
  readonly form: string;
  /** What holds where it is absent; null where it must be set. */
  readonly fallback: string | null;
  readonly effect: string;
}

/** A service, and the variables that each of its builds reads. */
export interface Described {
  readonly title: string;
  readonly builds: readonly (readonly Variable[])[];
}

const PROFILES = { both: 'both profiles', serverless: 'the hosted profile', 'on-premise': 'the on-premise profile' };

function entry({ name, profile, form, fallback, effect }: Variable): string {
  return `### ${name}

${effect}

- Value: ${form}.
- Absent: ${fallback ?? 'the service does not start'}.
- Read in: ${PROFILES[profile]}.
`;
}

function section({ title, builds }: Described): string {
  const named = new Map(builds.flat().map((variable) => [variable.name, variable]));
  return `## ${title}\n\n${[...named.values()].map(entry).join('\n')}`;
}

/** The reference of every variable, made from the values that read them. */
export function configurationReference(services: readonly Described[]): string {
  return `# Configuration

Both services are configured by environment variables and nothing else. This page is made from what reads them, and a test holds
it against that. A blank value counts as absent. A fault ends the start with exit code 1, before any port is open; every fault is
told, one line each on standard error, which begins with the variable that mends it. \`gateway --check-configuration\` does just
that and exits. No value of a secret is ever shown.

${services.map(section).join('\n')}`;
}
