import { createHash } from 'node:crypto';
import { variablesIn } from '../configuration/reference.ts';
import { keyOf, type Member, type UserFacts } from './members.ts';
import type { ProjectRequest, Row } from './sources.ts';

/** What a person is shown of a member that needs their consent. */
export function describe(member: Member, user: UserFacts): Omit<ProjectRequest, 'place'> {
  switch (member.kind) {
    case 'gateway':
      return {
        kind: 'gateway',
        name: hostOf(member.address),
        shown: [
          ...addressRows(member.address),
          [
            'Used for',
            `the addresses of this project's models. Your sign-in, license and policy stay ${user.gateway === null ? 'away from it' : `with ${user.gateway}`}.`,
          ],
        ],
      };
    case 'model': {
      const { choice } = member;
      return {
        kind: 'model',
        name: choice.name,
        shown: [...addressRows(choice.address), ['Model', choice.id], ['Key', keyRow(member, user)], SENT_TO_MODEL],
      };
    }
    case 'MCP server': {
      // References to variables stay references: a token may be renewed without another question, and is not shown.
      const { raw, server } = member;
      const variables = Object.entries(raw.env ?? {}).map(([name, value]): Row => [`Sets ${name}`, value]);
      const rows: readonly Row[] =
        server.url === undefined
          ? [
              ['Runs', [raw.command ?? '', ...(raw.args ?? [])].map((word) => quoted(word)).join(' ')],
              ['Folder', server.cwd ?? ''],
              ...variables,
              ['Rights', 'yours: it can read your files and use your network.'],
            ]
          : [
              ...addressRows(server.url),
              ...(server.type === undefined ? [] : [['Type', server.type] as const]),
              ...variables,
              ['Sent there', 'the arguments of each call of its tools.'],
            ];
      return { kind: 'MCP server', name: server.name, shown: rows };
    }
    default:
      throw new Error(`A ${member.kind} needs no consent.`);
  }
}

const SENT_TO_MODEL: Row = ['Sent there', 'your messages, and what tools read for the model.'];

/** Host first: a long path must not hide it. */
export function addressRows(address: string): readonly Row[] {
  const isOpen =
    address.startsWith('http:') && !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(address).hostname);
  return [
    ['Host', `${hostOf(address)}${isOpen ? ' (not encrypted)' : ''}`],
    ['Address', address],
  ];
}

export function hostOf(address: string): string {
  return URL.parse(address)?.host ?? address;
}

function keyRow(member: Extract<Member, { kind: 'model' }>, user: UserFacts): string {
  const { raw, choice } = member;
  const variables = variablesIn(raw.apiKey ?? '');
  if (choice.apiKey === null || raw.apiKey === undefined)
    return choice.atGateway ? 'your sign-in to your own gateway' : 'none';
  if (variables.length === 0) {
    const digest = createHash('sha256').update(choice.apiKey).digest('hex');
    return `written in the project's file (SHA-256 ${digest.slice(0, 16)}…)`;
  }
  return keyOf(member, user) === null
    ? `not sent: your own configuration does not send ${variables.join(', ')} to this host`
    : `your variable ${variables.join(', ')}, as your own configuration sends it there`;
}

/** A word as a shell would need it, so that blanks show where words end. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Identifies the content that a person agreed to, in this project. */
export function digestOf(
  project: string,
  { kind, name, shown }: Pick<ProjectRequest, 'kind' | 'name' | 'shown'>,
): string {
  return createHash('sha256')
    .update(JSON.stringify([project, kind, name, shown]))
    .digest('hex');
}
