import { ROLE_ALIASES, ROLE_NAMES, type Role } from '@gateway/contract';
import type { Command } from 'commander';
import { EXAMPLES } from './examples.ts';

const ROLE_USES: Readonly<Record<Role, string>> = {
  'utilisateur-standard': 'calls endpoints, reads own consumption, runs agent commands',
  'administrateur-de-projet': 'manages the members of one project; needs --project',
  'administrateur-d-instance': 'manages providers, models, endpoints, policies, roles',
  auditeur: 'reads, exports and verifies the logs',
};
const WITH_ROLES: readonly string[] = ['grant', 'revoke-role'];

/** What the help of a command says after its options: the roles where it takes one, and examples. */
export function helpAfter(path: string): string {
  const examples = EXAMPLES[path] ?? [];
  return [
    ...(WITH_ROLES.includes(path) ? ['', 'Roles (identifier or alias):', ...indented(roleLines())] : []),
    ...(examples.length === 0 ? [] : ['', 'Examples:', ...indented(examples.map((line) => `gatewayctl ${line}`))]),
    '',
  ].join('\n');
}

/** The line that follows a complaint about missing or superfluous words. */
export function usageLine(command: Command, path: string): string {
  return `Usage: gatewayctl ${path} ${command.usage()}\nExamples: gatewayctl ${path} --help\n`;
}

function roleLines(): readonly string[] {
  return ROLE_NAMES.flatMap((role) => [`${role}, ${ROLE_ALIASES[role]}`, `    ${ROLE_USES[role]}`]);
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}
