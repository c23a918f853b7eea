import { acrossBuilds, type Builds, type Variable } from '@gateway/configuration';

/** A service, and what its builds read. */
export interface Described {
  readonly title: string;
  readonly builds: Builds;
}

/** Variables that `toolchain/build.ts` reads. The services themselves do not have them. */
export const BUILD_VARIABLES: readonly Variable[] = [
  {
    name: 'GATEWAY_DEPLOYMENT_PROFILE',
    form: 'on-premise or serverless (the hosted profile)',
    fallback: 'on-premise',
    effect:
      'The profile that is built, into the folder of `dist` that has its name. The code of the other one is not in it.',
  },
  {
    name: 'GATEWAY_LICENSE_PUBLIC_KEY_FILE',
    form: 'the path of an Ed25519 public key (PEM)',
    fallback: 'the build trusts development licenses, which anybody can sign, and says so at every start',
    effect: "The vendor's public key that verifies licenses. It becomes a part of the build.",
  },
];

const PROFILES = { both: 'both profiles', serverless: 'the hosted profile', 'on-premise': 'the on-premise profile' };

function entry({ name, form, fallback, effect }: Variable, reader: string): string {
  return `### ${name}

${effect}

- Value: ${form}.
- Absent: ${fallback ?? 'the service does not start'}.
- Read in: ${reader}.
`;
}

function section({ title, builds }: Described): string {
  const entries = acrossBuilds(builds).map(({ variable, readers }) => entry(variable, PROFILES[readers]));
  return `## ${title}\n\n${entries.join('\n')}`;
}

/** The reference of every variable, made from the values that read them. */
export function configurationReference(services: readonly Described[]): string {
  return `# Configuration

Environment variables are the only configuration of both services. This page is generated from the code that reads them, and a test
compares the two. A blank value counts as absent. A fault ends the start with exit code 1 before any port is open. Every fault is one
line on standard error. The line names the program and then the variable to correct. \`--check-configuration\` does the same and exits.
If an unknown variable has nearly the name of an unset one, every start names it; this does not prevent the
start. Values of secrets are never shown. The variables of \`gatewayctl\` are on [its own page](gatewayctl.md#variables).

${services.map(section).join('\n')}
## Build

${BUILD_VARIABLES.map((variable) => entry(variable, '`npm run build`')).join('\n')}`;
}
