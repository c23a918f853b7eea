import { isDeepStrictEqual } from 'node:util';
import type { InputFault } from '@gateway/contract/fields';
import { legible } from '@gateway/contract/legible';
import type { Act } from '@gateway/database/audit-log/act';
import { changeThing, type Declared, declareThing, deleteThing } from '@gateway/database/audit-log/act';
import { changeAccount, createAccount } from '@gateway/domain/account/acts';
import { ENDPOINTS, MODELS } from '@gateway/domain/endpoint/console';
import {
  createOrganization,
  installOrganizationPolicy,
  refuseOrganizationPolicy,
  renameOrganization,
} from '@gateway/domain/organization/acts';
import { readOrganizations } from '@gateway/domain/organization/console';
import { installPolicy, refusePolicy } from '@gateway/domain/policy/acts';
import { PROVIDERS } from '@gateway/domain/provider/acts';
import { addMember, grantRole, removeMember, revokeRole } from '@gateway/domain/role/acts';
import { maskText } from '@gateway/secrets';
import { v7 as uuid } from 'uuid';
import { planActs } from '#plans';
import { CommandFailed, type Context, print } from '../context/context.ts';
import { findAccount, findPlan } from '../context/find.ts';
import type { ConfigurationDocument, ItemOf, WholeDocument } from './document.ts';
import type { PlacedFault } from './read.ts';
import { documentOf, type State } from './state.ts';

type Identified<Item> = Item & { readonly id: string };

/** The acts on a kind of thing: new ones under the ids they are given, the others by the id they have. */
function actsOn<Item extends object, Kind extends string, Thing extends Identified<object>>(
  of: Declared<Kind, Thing>,
  idOf: (item: Item) => string,
  thingOf: (item: Item) => Omit<Thing, 'id'>,
) {
  const whole = (item: Item) => ({ id: idOf(item), ...thingOf(item) }) as Thing;
  /** Locked, so that the log says what the value was. */
  const locked = async (sql: Parameters<typeof of.lock>[0], item: Item): Promise<Thing> => {
    const thing = await of.lock(sql, idOf(item));
    if (thing === undefined) throw new CommandFailed('The configuration was changed meanwhile. Run the command again.');
    return thing;
  };
  return {
    create:
      (item: Item): ConfigurationChange['perform'] =>
      (act) =>
        declareThing(act, of, whole(item)),
    change:
      (_: Item, item: Item): ConfigurationChange['perform'] =>
      async (act) =>
        changeThing(act, of, await locked(act.sql, item), whole(item)),
    remove:
      (item: Item): ConfigurationChange['perform'] =>
      async (act) =>
        deleteThing(act, of, await locked(act.sql, item)),
  };
}

/** Ids by name: those of the instance, and new ones for objects only in the document. */
function identities(present: Iterable<readonly [name: string, id: string]>): (name: string) => string {
  const ids = new Map(present);
  return (name) => {
    const id = ids.get(name) ?? uuid();
    ids.set(name, id);
    return id;
  };
}

/** Name of a model within the instance. */
const modelName = (provider: string, slug: string): string => `${provider}/${slug}`;

/** What differs in providers, models, endpoints and plans. */
function catalogDifferences(
  document: ConfigurationDocument,
  state: State,
  present: WholeDocument,
): Readonly<Record<'providers' | 'models' | 'endpoints' | 'plans', Differences>> {
  const slugs = new Map(state.providers.map(({ id, slug }) => [id, slug]));
  const providerId = identities(state.providers.map(({ id, slug }) => [slug, id]));
  const modelId = identities(state.models.map((one) => [modelName(slugs.get(one.provider) ?? '', one.slug), one.id]));
  const endpointId = identities(state.endpoints.map(({ id, name }) => [name, id]));
  const planId = identities(state.plans.map(({ id, slug }: Identified<{ slug: string }>) => [slug, id]));

  return {
    providers: differencesOf<ItemOf<'providers'>>({
      kind: 'provider',
      wanted: document.providers,
      present: present.providers,
      nameOf: ({ slug }) => slug,
      ...actsOn(
        PROVIDERS,
        ({ slug }) => providerId(slug),
        (item) => item,
      ),
    }),
    models: differencesOf<ItemOf<'models'>>({
      kind: 'model',
      wanted: document.models,
      present: present.models,
      nameOf: ({ provider, slug }) => modelName(provider, slug),
      ...actsOn(
        MODELS,
        ({ provider, slug }) => modelId(modelName(provider, slug)),
        (item) => ({ ...item, provider: providerId(item.provider) }),
      ),
    }),
    endpoints: differencesOf<ItemOf<'endpoints'>>({
      kind: 'endpoint',
      wanted: document.endpoints,
      present: present.endpoints,
      nameOf: ({ name }) => name,
      ...actsOn(
        ENDPOINTS,
        ({ name }) => endpointId(name),
        ({ provider, model, standby, ...item }) => ({
          ...item,
          model: modelId(modelName(provider, model)),
          standby: standby === null ? null : modelId(modelName(standby.provider, standby.model)),
        }),
      ),
    }),
    plans:
      planActs === null
        ? { put: [], extra: [] }
        : differencesOf<ItemOf<'plans'>>({
            kind: 'plan',
            wanted: document.plans,
            present: present.plans,
            nameOf: ({ slug }) => slug,
            ...actsOn(
              planActs,
              ({ slug }) => planId(slug),
              (item) => item,
            ),
          }),
  };
}

type Organization = ItemOf<'organizations'>;

/** The authorization policy where the document states another one than is in force. */
function policyDifference(document: ConfigurationDocument, state: State): readonly ConfigurationChange[] {
  const [before, after] = [state.authorizationPolicy, document.authorizationPolicy];
  // No policy was ever installed, or a blank one is in force: both leave the matrix unchanged.
  if (after === undefined || after === before || (after.trim() === '' && before.trim() === '')) return [];
  const members = [{ member: 'cedar', before, after }];
  return [
    {
      action: 'change',
      kind: 'authorization policy',
      name: '',
      members,
      perform: (act) => installPolicy(act, after),
    },
  ];
}

/** Differences of organizations and their policies. One without a policy keeps the current one. */
function organizationDifferences(document: ConfigurationDocument, state: State, present: WholeDocument): Differences {
  const ids = new Map(state.organizations.map(({ slug, id }) => [slug, id]));
  const imposed = new Map(present.organizations.map(({ slug, policy }) => [slug, policy]));
  return differencesOf<Organization>({
    kind: 'organization',
    wanted: document.organizations?.map((one) =>
      withInstants({ ...one, policy: one.policy ?? imposed.get(one.slug) ?? null }),
    ),
    present: present.organizations,
    nameOf: ({ slug }) => slug,
    create: (after) => async (act) => {
      const made = await createOrganization(act, after);
      if (made === undefined) throw new CommandFailed(`There is an organization ${after.slug} already.`);
      if (after.policy !== null) await install(act, made, after.policy);
    },
    change: (before, after) => async (act) => {
      const organization = { id: ids.get(after.slug) ?? '', slug: after.slug };
      if (before.name !== after.name) await renameOrganization(act, organization, after.name);
      const isAnother = !isDeepStrictEqual(before.policy, after.policy);
      if (after.policy !== null && isAnother) await install(act, organization, after.policy);
    },
    // An organization is never deleted: workstations keep the policy they received.
  });
}

/** Instants as the database writes them, so that another form of the same one is no difference. */
function withInstants(organization: Organization): Organization {
  const { policy } = organization;
  if (policy === null) return organization;
  const [validFrom = null, validUntil = null] = [policy.validFrom, policy.validUntil].map((at) =>
    at === null ? null : new Date(at).toISOString(),
  );
  return { ...organization, policy: { ...policy, validFrom, validUntil } };
}

async function install(
  act: Act,
  organization: { readonly id: string; readonly slug: string },
  policy: NonNullable<Organization['policy']>,
): Promise<void> {
  const [validFrom = null, validUntil = null] = [policy.validFrom, policy.validUntil].map((at) =>
    at === null ? null : new Date(at),
  );
  await installOrganizationPolicy(act, organization, { document: policy.document, validFrom, validUntil });
}

/** The account of a document, with the plan by its id. On-premise there are no plans: an account keeps its own. */
async function fieldsOf({ sql }: Act, { displayName, email, enabled, plan }: ItemOf<'accounts'>) {
  return { displayName, email, enabled, ...(plan === undefined ? {} : { plan: await findPlan(sql, plan) }) };
}

interface Membership {
  readonly project: string;
  readonly subject: string;
}

/** What differs in local accounts, role assignments and memberships of projects. */
function peopleDifferences(
  document: ConfigurationDocument,
  present: WholeDocument,
): Readonly<Record<'accounts' | 'roles' | 'projects', Differences>> {
  return {
    accounts: differencesOf<ItemOf<'accounts'>>({
      kind: 'account',
      wanted: document.accounts,
      present: present.accounts,
      nameOf: ({ username }) => username,
      create: (account) => async (act) =>
        createAccount(act, { plan: null, ...(await fieldsOf(act, account)), username: account.username }, null),
      change: (before, after) => async (act) => {
        const { enabled, ...fields } = await fieldsOf(act, after);
        // Where the file repeats the state, a project may still change it.
        const changed = before.enabled === enabled ? fields : { ...fields, enabled };
        await changeAccount(act, await findAccount(act.sql, after.username), changed);
      },
      // An account is never deleted: its keys would be lost. `enabled: false` ends its access.
    }),
    roles: differencesOf<ItemOf<'roles'>>({
      kind: 'role',
      wanted: document.roles,
      present: present.roles,
      nameOf: ({ subject, role, project }) => `${role} of ${subject}${project === null ? '' : ` in ${project}`}`,
      create: (grant) => (act) => grantRole(act, grant),
      remove: (grant) => (act) => revokeRole(act, grant),
    }),
    projects: differencesOf<Membership>({
      kind: 'member',
      wanted: document.projects === undefined ? undefined : membershipsOf(document.projects),
      present: membershipsOf(present.projects),
      nameOf: ({ project, subject }) => `${subject} of ${project}`,
      create:
        ({ project, subject }) =>
        (act) =>
          addMember(act, project, subject),
      remove:
        ({ project, subject }) =>
        (act) =>
          removeMember(act, project, subject),
    }),
  };
}

function membershipsOf(projects: WholeDocument['projects']): readonly Membership[] {
  return projects.flatMap(({ project, members }) => members.map((subject) => ({ project, subject })));
}

export interface Plan {
  /** Ordered so that each object follows those it refers to. */
  readonly changes: readonly ConfigurationChange[];
  /** How many things are not in the document and stay: those that `--prune` would delete. */
  readonly kept: number;
  /** References to objects that do not exist. */
  readonly faults: readonly InputFault[];
}

/** What makes an instance the one that a document describes. With `prune`, what the document's sections lack is deleted. */
export function planChanges(document: ConfigurationDocument, state: State, prune: boolean): Plan {
  const present = documentOf(state);
  const { providers, models, endpoints, plans } = catalogDifferences(document, state, present);
  const { accounts, roles, projects } = peopleDifferences(document, present);
  const organizations = organizationDifferences(document, state, present);
  const extra = [endpoints, models, providers, plans, roles, projects].flatMap((one) => one.extra);
  // Roles go before others come: a subject may change from administration to audit.
  const removed = prune ? extra : [];
  const [unused, ended] = [
    removed.filter(({ kind }) => kind !== 'role' && kind !== 'member'),
    removed.filter(({ kind }) => kind === 'role' || kind === 'member'),
  ];
  const changes = [
    ...[plans, accounts, providers, models, endpoints].flatMap((one) => one.put),
    ...unused,
    ...organizations.put,
    ...policyDifference(document, state),
    ...ended,
    ...[roles, projects].flatMap((one) => one.put),
  ];
  return { changes, kept: prune ? 0 : extra.length, faults: danglingReferences(document, present, prune) };
}

/** Dangling references: of models to providers and of endpoints to models. */
function danglingReferences(document: ConfigurationDocument, present: WholeDocument, prune: boolean): InputFault[] {
  const names = <Item>(wanted: readonly Item[] | undefined, there: readonly Item[], nameOf: (item: Item) => string) =>
    new Set([...(prune && wanted !== undefined ? [] : there), ...(wanted ?? [])].map(nameOf));
  const providers = names(document.providers, present.providers, ({ slug }) => slug);
  const models = names(document.models, present.models, ({ provider, slug }) => modelName(provider, slug));
  const sentence = (kind: string, name: string) =>
    `names the ${kind} ${name}, which neither the file nor the instance ${prune ? 'keeps' : 'holds'}: declare it`;
  return [
    ...(document.models ?? []).flatMap(({ provider }, index) =>
      providers.has(provider)
        ? []
        : [{ path: ['models', index, 'provider'], sentence: sentence('provider', provider) }],
    ),
    ...(document.endpoints ?? []).flatMap(({ provider, model, standby }, index) =>
      [
        { path: ['endpoints', index, 'model'], name: modelName(provider, model) },
        ...(standby === null
          ? []
          : [{ path: ['endpoints', index, 'standby', 'model'], name: modelName(standby.provider, standby.model) }]),
      ]
        .filter(({ name }) => !models.has(name))
        .map(({ path, name }) => ({ path, sentence: sentence('model', name) })),
    ),
  ];
}

/** Prints the changes of a plan, one a line, and their total. */
export async function report(
  context: Context,
  { changes, kept }: Plan,
  outcome: 'different' | 'applied' | 'dry run',
): Promise<void> {
  const listed = changes.map(({ action, kind, name, members }) => ({ action, kind, name, members }));
  const extra =
    kept === 0 ? [] : [`Not in the file and kept: ${kept}. --prune deletes what the file's sections do not list.`];
  const result = { changes: listed, kept, applied: outcome === 'applied' };
  await print(context, result, [...changes.map(lineOf), sentenceOf(changes.length, outcome), ...extra]);
}

function sentenceOf(count: number, outcome: 'different' | 'applied' | 'dry run'): string {
  const changes = count === 1 ? '1 change' : `${count} changes`;
  if (outcome === 'different') return count === 0 ? 'No differences.' : `${changes}: apply would make the instance so.`;
  if (count === 0) return 'Nothing to change.';
  return outcome === 'applied' ? `Applied ${changes}.` : `Dry run: ${changes}, undone again.`;
}

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;

/** Keeps refused attempts to install a policy, with their author, as the commands for one policy do. */
export async function recordRefusedPolicies(act: Act, value: unknown, faults: readonly PlacedFault[]): Promise<void> {
  if (!isObject(value)) return;
  const cedar = faults.filter(({ path }) => path[0] === 'authorizationPolicy').map(({ sentence }) => sentence);
  const { authorizationPolicy: document } = value;
  if (cedar.length > 0) await refusePolicy(act, { document, fault: cedar.join('; ') }, maskText);

  const known = new Set((await readOrganizations(act.sql)).map(({ slug }) => slug));
  const organizations: readonly unknown[] = Array.isArray(value['organizations']) ? value['organizations'] : [];
  for (const [index, organization] of organizations.entries()) {
    const those = faults.filter(
      ({ path: [section, at, member] }) => section === 'organizations' && at === index && member === 'policy',
    );
    if (those.length === 0 || !isObject(organization)) continue;
    const { slug, policy } = organization;
    if (typeof slug !== 'string' || !known.has(slug)) continue;
    const fault = those.map(({ path, sentence }) => `${path.slice(3).join('.')} ${sentence}`.trim()).join('; ');
    await refuseOrganizationPolicy(act, slug, { document: policy, fault }, maskText);
  }
}

/** One act that would make the instance what the document says. */
export interface ConfigurationChange {
  readonly action: 'create' | 'change' | 'delete';
  readonly kind: string;
  readonly name: string;
  /** Of a change: the members that differ. */
  readonly members: readonly { readonly member: string; readonly before: unknown; readonly after: unknown }[];
  /** Does it and records it in the administration log. */
  readonly perform: (act: Act) => Promise<unknown>;
}

/** A list of the document beside the one of the instance, with the acts on one of its items. */
export interface Compared<Item extends object> {
  readonly kind: string;
  /** Undefined where the document does not name the section: nothing of it is changed then. */
  readonly wanted: readonly Item[] | undefined;
  readonly present: readonly Item[];
  readonly nameOf: (item: Item) => string;
  readonly create: (item: Item) => ConfigurationChange['perform'];
  readonly change?: (before: Item, after: Item) => ConfigurationChange['perform'];
  /** Absent where nothing of this kind is ever deleted. */
  readonly remove?: (item: Item) => ConfigurationChange['perform'];
}

interface Differences {
  /** Objects to create or change. */
  readonly put: readonly ConfigurationChange[];
  /** Objects of the instance that are not in the document. */
  readonly extra: readonly ConfigurationChange[];
}

/** What differs between the two lists. */
export function differencesOf<Item extends object>(of: Compared<Item>): Differences {
  const { kind, wanted, nameOf } = of;
  if (wanted === undefined) return { put: [], extra: [] };
  const present = new Map(of.present.map((item) => [nameOf(item), item]));
  const put: ConfigurationChange[] = [];
  for (const after of wanted) {
    const name = nameOf(after);
    const before = present.get(name);
    present.delete(name);
    if (before === undefined) {
      put.push({ action: 'create', kind, name, members: [], perform: of.create(after) });
      continue;
    }
    const members = membersOf(before, after);
    if (members.length === 0 || of.change === undefined) continue;
    put.push({ action: 'change', kind, name, members, perform: of.change(before, after) });
  }
  const { remove } = of;
  const extra = [...present].map(([name, item]): ConfigurationChange[] =>
    remove === undefined ? [] : [{ action: 'delete', kind, name, members: [], perform: remove(item) }],
  );
  return { put, extra: extra.flat() };
}

function membersOf<Item extends object>(before: Item, after: Item): ConfigurationChange['members'] {
  return Object.entries(after)
    .map(([member, value]) => ({ member, before: (before as Record<string, unknown>)[member] ?? null, after: value }))
    .filter((one) => !isDeepStrictEqual(one.before, one.after ?? null));
}

const SIGNS = { create: '+', change: '~', delete: '-' } as const;

/** A change as one line: `~ endpoint chat: active true -> false`. */
export function lineOf({ action, kind, name, members }: ConfigurationChange): string {
  const changed = members.map((one) => `${one.member} ${shortly(one.before)} -> ${shortly(one.after)}`);
  return legible(
    `${SIGNS[action]} ${kind}${name === '' ? '' : ` ${name}`}${changed.length > 0 ? `: ${changed.join(', ')}` : ''}`,
  );
}

/** A value on one line; a long one by its size. */
function shortly(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= 80 ? text : `(${text.length} characters)`;
}
