import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { variablesIn } from '../configuration/reference.ts';
import { choiceOf, type ModelChoice, type ServerChoice } from '../configuration/settings.ts';
import type { Configuration } from '../configuration/shape.ts';
import type { Origin, ProjectRequest, Row, Source, Sources } from './sources.ts';

type RawModel = NonNullable<Configuration['models']>[number];
type RawServer = NonNullable<Configuration['mcpServers']>[number];

/** A member of a configuration file that is decided about by itself. */
export type Member = {
  readonly origin: Origin;
  /** Where it is in its file. */
  readonly path: readonly (string | number)[];
} & (
  | { readonly kind: 'gateway'; readonly raw: string; readonly address: string }
  | {
      readonly kind: 'model';
      readonly raw: RawModel;
      readonly choice: ModelChoice;
      readonly atProjectGateway: boolean;
      /** The address as it is written, with the gateway's where it completes a bare name. */
      readonly rawAddress: string;
    }
  | { readonly kind: 'MCP server'; readonly raw: RawServer; readonly server: ServerChoice }
  | { readonly kind: 'rule' | 'prompt'; readonly raw: string; readonly text: string }
  | { readonly kind: 'snapshots'; readonly value: boolean }
  | { readonly kind: 'hooks'; readonly hooks: NonNullable<Configuration['hooks']> }
  | { readonly kind: 'allow' | 'ask' | 'exclude'; readonly rules: readonly string[] }
);

/** What the members of a project are compared with. */
export interface UserFacts {
  /** The gateway of the user's sources. */
  readonly gateway: string | null;
  /** Names and identifiers of the user's models, and names of the user's servers, as `nameKey` writes them. */
  readonly models: ReadonlySet<string>;
  readonly servers: ReadonlySet<string>;
  /** For each variable that is a key in the user's file: the origins of the addresses that it is sent to. */
  readonly keys: ReadonlyMap<string, ReadonlySet<string>>;
  /** Variables in addresses of the user's file. */
  readonly inAddresses: ReadonlySet<string>;
}

/** Names that a person could take for each other are one: letter case, width and blanks do not count. */
export function nameKey(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\p{Cf}]+/gu, '');
}

/** The members of all files, those of the user first. */
export function membersOf(sources: Sources, root: string): readonly Member[] {
  const { user, project, gateway, projectBase } = sources;
  return [
    ...(user === null ? [] : membersIn(user, { gateway, base: gateway, root: null })),
    ...(project === null ? [] : membersIn(project, { gateway, base: projectBase, root })),
  ];
}

function membersIn(
  { origin, raw, value }: Source,
  of: { readonly gateway: string | null; readonly base: string | null; readonly root: string | null },
): readonly Member[] {
  const each = <Kind, One>(
    name: keyof Configuration,
    list: readonly One[] | undefined,
    make: (one: One, at: number) => Kind,
  ) => (list ?? []).map((one, at) => ({ origin, path: [name, at], ...make(one, at) }));
  const texts = <Kind extends 'rule' | 'prompt'>(kind: Kind, list: 'rules' | 'prompts') =>
    each(list, value[list], (text, at) => ({ kind, text, raw: raw[list]?.[at] ?? text }));
  const rules = <List extends 'allow' | 'ask' | 'exclude'>(kind: List) => {
    const list = value.permissions?.[kind] ?? [];
    return list.length === 0 ? [] : [{ origin, path: ['permissions', kind], kind, rules: list }];
  };
  return [
    ...(value.gateway === undefined
      ? []
      : [{ origin, path: ['gateway'], kind: 'gateway' as const, raw: raw.gateway ?? '', address: value.gateway }]),
    ...each('models', value.models, (model, at) => {
      const choice = { ...choiceOf(model, of.base, of.gateway), ofProject: origin === 'project' };
      const atProjectGateway = of.base !== of.gateway && of.base !== null && choice.address.startsWith(`${of.base}/`);
      const written = raw.models?.[at] ?? model;
      const rawAddress = `${written.endpoint ?? written.apiBase ?? ''} ${atProjectGateway ? (raw.gateway ?? '') : ''}`;
      return { kind: 'model' as const, raw: written, choice, atProjectGateway, rawAddress };
    }),
    ...each('mcpServers', value.mcpServers, (server, at) => ({
      kind: 'MCP server' as const,
      raw: raw.mcpServers?.[at] ?? server,
      server: {
        ...server,
        ofProject: origin === 'project',
        ...(of.root === null || server.command === undefined ? {} : { cwd: resolve(of.root, server.cwd ?? '.') }),
      },
    })),
    ...(value.hooks === undefined ? [] : [{ origin, path: ['hooks'], kind: 'hooks' as const, hooks: value.hooks }]),
    ...(value.snapshots === undefined
      ? []
      : [{ origin, path: ['snapshots'], kind: 'snapshots' as const, value: value.snapshots }]),
    ...texts('rule', 'rules'),
    ...texts('prompt', 'prompts'),
    ...rules('allow'),
    ...rules('ask'),
    ...rules('exclude'),
  ];
}

/** What the user's file names, for comparison. */
export function factsOf(sources: Sources): UserFacts {
  const { gateway, user } = sources;
  const keys = new Map<string, Set<string>>();
  const inAddresses = new Set<string>();
  const members = membersOf({ ...sources, project: null }, '/');
  const models = members.flatMap((member) => (member.kind === 'model' ? [member] : []));
  for (const { raw, choice } of models) {
    for (const variable of variablesIn(raw.apiKey ?? '')) {
      const origins = keys.get(variable) ?? new Set();
      keys.set(variable, origins.add(new URL(choice.address).origin));
    }
  }
  const addresses = [
    user?.raw.gateway,
    ...models.map(({ raw }) => raw.endpoint ?? raw.apiBase),
    ...(user?.raw.mcpServers ?? []).map(({ url }) => url),
  ];
  for (const address of addresses) for (const variable of variablesIn(address ?? '')) inAddresses.add(variable);
  return {
    gateway,
    models: new Set(models.flatMap(({ choice }) => [nameKey(choice.name), nameKey(choice.id)])),
    servers: new Set((user?.value.mcpServers ?? []).map(({ name }) => nameKey(name))),
    keys,
    inAddresses,
  };
}

/** The key that a project's model is called with: one of the project, or one that the user's own file sends to the same origin. */
export function keyOf(member: Extract<Member, { kind: 'model' }>, user: UserFacts): string | null {
  const { raw, choice } = member;
  const { origin } = new URL(choice.address);
  const isAllowed = variablesIn(raw.apiKey ?? '').every((name) => user.keys.get(name)?.has(origin) === true);
  return isAllowed ? choice.apiKey : null;
}

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
function addressRows(address: string): readonly Row[] {
  const isOpen =
    address.startsWith('http:') && !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(address).hostname);
  return [
    ['Host', `${hostOf(address)}${isOpen ? ' (not encrypted)' : ''}`],
    ['Address', address],
  ];
}

function hostOf(address: string): string {
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
