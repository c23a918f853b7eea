import { acrossBuilds, type Builds } from '@gateway/configuration';
import { REFUSAL_CODES, sentenceOf, statusOf } from '@gateway/contract';
import { variablesOf as consoleVariablesOf } from '../../apps/console/src/profile/configuration.ts';
import { profile as onPremiseConsole } from '../../apps/console/src/profile/on-premise.ts';
import { profile as hostedConsole } from '../../apps/console/src/profile/serverless.ts';
import { variablesOf as gatewayVariablesOf } from '../../apps/gateway/src/config/configuration.ts';
import { profile as onPremiseGateway } from '../../apps/gateway/src/profile/on-premise.ts';
import { profile as hostedGateway } from '../../apps/gateway/src/profile/serverless.ts';
import { CAUSES } from './causes.ts';

const BUILDS = {
  both: 'both builds',
  'on-premise': 'the on-premise build',
  serverless: 'the hosted build',
} as const;

/** The configuration reference, from the same values that the programs read. */
export function configurationPage(): string {
  return [
    '# Configuration',
    'Every setting is an environment variable, read once at start. A value that cannot be taken refuses the start: one line for each fault on the error output, no open port, exit code 1. A blank value counts as absent.',
    'To check a configuration without starting, run the gateway or the console with `--check-configuration`.',
    '## Variables of the gateway',
    ...variables({ serverless: gatewayVariablesOf(hostedGateway), 'on-premise': gatewayVariablesOf(onPremiseGateway) }),
    '## Variables of the console',
    ...variables({ serverless: consoleVariablesOf(hostedConsole), 'on-premise': consoleVariablesOf(onPremiseConsole) }),
  ].join('\n\n');
}

function variables(builds: Builds): string[] {
  return acrossBuilds(builds).flatMap(({ variable: { name, form, fallback, effect }, readers }) => [
    `### ${name}`,
    plain(effect),
    `- Value: ${plain(form)}.\n- ${fallback === null ? 'It must be set.' : `When it is absent: ${plain(fallback)}.`}\n- Read by ${BUILDS[readers]}.`,
  ]);
}

/** Every refusal with its status, its sentence, its cause and its fix, in the order of the table of refusals. */
export function refusalsPage(): string {
  return [
    '# Refusals: causes and fixes',
    'A refusal of this service is a JSON object with `error`, one sentence. The code is in the decision log, as the reason of the entry. Several codes may share a sentence: a caller who is refused learns no more than needed. A refusal of the engine is relayed untouched and is not in this list.',
    ...REFUSAL_CODES.flatMap((code) => {
      const [cause, fix] = CAUSES[code] ?? ['', ''];
      return [
        `## ${code}`,
        `Status ${statusOf({ code })}: ${plain(sentenceOf({ code, details: placeholders }))}`,
        `- Cause: ${plain(cause)}\n- Fix: ${plain(fix)}`,
      ];
    }),
  ].join('\n\n');
}

/** Shows a sentence's placeholders by their names. */
const placeholders: Readonly<Record<string, string>> = new Proxy<Record<string, string>>(
  {},
  { get: (_, name) => `<${String(name)}>` },
);

/** Keeps Markdown and Vue from reading angle brackets and braces as theirs, and examples of addresses as links. */
function plain(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('{{', '&#123;&#123;')
    .replaceAll('://', '&#58;//');
}
