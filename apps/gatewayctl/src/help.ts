import { ROLE_ALIASES, ROLE_NAMES, type Role } from '@gateway/contract';
import type { Command } from 'commander';
import { EXAMPLES } from './examples.ts';

const ROLE_USES: Readonly<Record<Role, string>> = {
  'utilisateur-standard': 'calls endpoints, reads own consumption, runs agent commands',
  'administrateur-de-projet': 'manages the members of one project; needs --project',
  'administrateur-d-instance': 'manages providers, models, endpoints, policies, roles',
  auditeur: 'reads, exports and verifies the logs',
};
const FIRST_DAY: readonly string[] = ['migrate', 'account create', 'grant', 'roles', 'journal verify'];
const WITH_ROLES: readonly string[] = ['grant', 'revoke-role'];

/** What the help of a command says after its options: the roles where it takes one, and examples. */
export function helpAfter(path: string): string {
  const examples = EXAMPLES[path] ?? [];
  return [
    ...(WITH_ROLES.includes(path) ? ['', 'Roles (identifier or alias):', ...indent(roleLines())] : []),
    ...(examples.length === 0 ? [] : ['', 'Examples:', ...indent(examples.map((line) => `gatewayctl ${line}`))]),
    '',
  ].join('\n');
}

/** Examples of a group: the first of each of its commands. The empty path is the program, which shows those of a first day. */
export function groupHelpAfter(path: string): string {
  const below = path === '' ? FIRST_DAY : Object.keys(EXAMPLES).filter((command) => command.startsWith(`${path} `));
  const most = below.length === 1 ? 2 : 1;
  const examples = below.flatMap((command) => EXAMPLES[command]?.slice(0, most) ?? []);
  const all = `gatewayctl ${path === '' ? '' : `${path} `}COMMAND --help`;
  return [
    '',
    'Examples:',
    ...indent(examples.map((line) => `gatewayctl ${line}`)),
    '',
    `Options and examples of a command: ${all}`,
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

function indent(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}
