import type { InputFault } from '@gateway/contract/fields';
import { legible } from '@gateway/contract/legible';
import type { Queryable, Sql } from '@gateway/database';
import { type AccountEntry, listAccounts } from '@gateway/domain/account/owner';
import { type Endpoint, listEndpoints, listModels, type Model } from '@gateway/domain/endpoint/console';
import { HIGHEST_USUAL_PRICE, PRICES } from '@gateway/domain/endpoint/shape';
import { type Organization, readOrganizations } from '@gateway/domain/organization/console';
import { readPolicyInForce } from '@gateway/domain/policy/console';
import { listProviders, type Provider } from '@gateway/domain/provider/console';
import { type HeldRole, listProjectMembers, listRoles, type ProjectMember } from '@gateway/domain/role/owner';
import { planActs, readPlans } from '#plans';
import { CommandFailed, type Context } from '../context/context.ts';
import { readText } from '../context/find.ts';
import type { ConfigurationDocument, ItemOf, WholeDocument } from './document.ts';
import { type PlacedFault, pathText, type ReadConfiguration, readConfiguration } from './read.ts';

/** The content of an instance, with the ids that acts need. */
export interface State {
  readonly providers: readonly Provider[];
  readonly models: readonly Model[];
  readonly endpoints: readonly Endpoint[];
  readonly plans: Awaited<ReturnType<typeof readPlans>>;
  /** Local ones: identities of a directory are registered by their first call, and declared there. */
  readonly accounts: readonly AccountEntry[];
  /** Those that a person granted: a role that comes from a group ends with the membership, and is declared by its mapping. */
  readonly roles: readonly HeldRole[];
  readonly members: readonly ProjectMember[];
  readonly organizations: readonly Organization[];
  /** Empty where no policy narrows the role matrix. */
  readonly authorizationPolicy: string;
}

const ALL = { limit: null, after: null } as const;

/** Reads the whole configuration in one snapshot. */
export function readStateAlone(sql: Sql): Promise<State> {
  return sql.begin(async (transaction) => {
    await transaction`set transaction isolation level repeatable read, read only`;
    return readState(transaction);
  });
}

/** Reads the whole configuration, inside a transaction. */
export async function readState(sql: Queryable): Promise<State> {
  return {
    providers: await listProviders(sql, ALL),
    models: await listModels(sql, { ...ALL, provider: null }),
    endpoints: await listEndpoints(sql, { ...ALL, model: null }),
    plans: await readPlans(sql),
    accounts: (await listAccounts(sql)).filter(({ origin }) => origin === 'local'),
    roles: await listRoles(sql, null, 'people'),
    members: await listProjectMembers(sql, null),
    organizations: await readOrganizations(sql),
    authorizationPolicy: (await readPolicyInForce(sql))?.cedar ?? '',
  };
}

/** The state as a document: everything by name. */
export function documentOf(state: State): WholeDocument {
  const providerSlug = new Map(state.providers.map(({ id, slug }) => [id, slug]));
  const models = new Map(state.models.map((one) => [one.id, one]));
  const served = (id: string) => {
    const model = models.get(id);
    return { provider: providerSlug.get(model?.provider ?? '') ?? '', model: model?.slug ?? '' };
  };
  const plans = planActs === null ? {} : { plans: state.plans.map(withoutId) };
  const document = {
    version: 1 as const,
    providers: state.providers.map(withoutId),
    models: state.models
      .map(withoutId)
      .map((one) => ({ ...one, provider: providerSlug.get(one.provider) ?? '' }))
      .toSorted((one, other) => compare(one.provider, other.provider) || compare(one.slug, other.slug)),
    endpoints: state.endpoints.map(withoutId).map(({ name, model, standby, ...others }) => {
      return { name, ...served(model), standby: standby === null ? null : served(standby), ...others };
    }),
    accounts: state.accounts.map(accountOf),
    roles: state.roles.map(({ subject, role, project }) => ({ subject, role, project })),
    projects: projectsOf(state.members),
    authorizationPolicy: state.authorizationPolicy,
    organizations: state.organizations.map(organizationOf),
    ...plans,
  };
  return document as WholeDocument;
}

/** A thing by its name alone: the ids of two instances differ. */
function withoutId<Thing extends { readonly id: string }>(thing: Thing): Omit<Thing, 'id'> {
  const { id: _id, ...rest } = thing;
  return rest;
}

function accountOf({ username, displayName, email, enabled, plan }: AccountEntry): ItemOf<'accounts'> {
  const described = { username, displayName, email, enabled };
  return (planActs === null ? described : { ...described, plan }) as ItemOf<'accounts'>;
}

function projectsOf(members: readonly ProjectMember[]): WholeDocument['projects'] {
  const projects = Map.groupBy(members, ({ project }) => project);
  return [...projects].map(([project, those]) => ({ project, members: those.map(({ subject }) => subject) }));
}

function organizationOf({ slug, name, policy }: Organization): ItemOf<'organizations'> {
  if (policy === null) return { slug, name, policy: null };
  const [validFrom, validUntil] = [policy.validFrom, policy.validUntil].map((at) => at?.toISOString() ?? null);
  const { document } = policy;
  return { slug, name, policy: { document, validFrom: validFrom ?? null, validUntil: validUntil ?? null } };
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

type Readable = Extract<ReadConfiguration, { readonly document: unknown }>;

/** Most faults that are shown: the rest often follows from the first. */
const MOST_SHOWN = 20;

/** Prints each fault on a separate line, as compilers do, then fails. */
export function failWith({ terminal }: Context, file: string, faults: readonly PlacedFault[]): never {
  const name = file === '-' ? 'standard input' : file;
  for (const { line, path, sentence } of faults.slice(0, MOST_SHOWN)) {
    terminal.report(`${legible(`${name}:${line}: ${pathText(path)} ${sentence}`)}\n`);
  }
  const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`;
  throw new CommandFailed(`${name} was not used: ${count}. Nothing was changed.`);
}

/**
 * Reads a configuration file.
 * @param refused called for a file that is refused, before the command fails
 */
export async function readHandedIn(
  context: Context,
  file: string,
  refused: (value: unknown, faults: readonly PlacedFault[]) => Promise<void> = async () => undefined,
): Promise<Readable> {
  const read = readConfiguration(readText(file));
  if ('document' in read) return read;
  await refused(read.value, read.faults);
  return failWith(context, file, read.faults);
}

const EUROS = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 6 });

/** Prices that are probably for a million tokens. `apply` refuses them unless it is forced. */
export function unusualPrices({ models = [] }: ConfigurationDocument): readonly InputFault[] {
  return models.flatMap((model, index) =>
    PRICES.flatMap((name) => {
      const price = model[name];
      if (price === null || price <= HIGHEST_USUAL_PRICE) return [];
      const perMillion = EUROS.format(price * 1_000_000);
      const sentence = `is ${price} euros per token, which is € ${perMillion} per million tokens. Correct it: prices are euros per token. To apply it nevertheless, use --force`;
      return [{ path: ['models', index, name], sentence }];
    }),
  );
}
