import { v7 as uuid } from 'uuid';
import { type Act, type Changes, type Created, onlyRow } from '../audit-log/act.ts';
import type { Declared } from '../audit-log/declared.ts';
import type { Queryable } from '../client/connect.ts';
import {
  deleteEndpoint,
  type Endpoint,
  insertEndpoint,
  lockEndpoint,
  updateEndpoint,
} from '../queries/console/endpoints.ts';
import { deletePlan, insertPlan, lockPlan, type Plan, updatePlan } from '../queries/console/hosted/plans.ts';
import { deleteModel, insertModel, lockModel, type Model, updateModel } from '../queries/console/models.ts';
import {
  deleteProvider,
  insertProvider,
  lockProvider,
  type Provider,
  type ProviderTestState,
  providerTestColumns,
  updateProvider,
} from '../queries/console/providers.ts';
import type { Grant } from './roles.ts';

export const PROVIDERS: Declared<'provider', Provider> = {
  kind: 'provider',
  named: 'slug',
  insert: insertProvider,
  lock: lockProvider,
  update: updateProvider,
  remove: deleteProvider,
};

export const MODELS: Declared<'model', Model> = {
  kind: 'model',
  named: 'slug',
  insert: insertModel,
  lock: lockModel,
  update: updateModel,
  remove: deleteModel,
};

export const ENDPOINTS: Declared<'endpoint', Endpoint> = {
  kind: 'endpoint',
  named: 'name',
  insert: insertEndpoint,
  lock: lockEndpoint,
  update: updateEndpoint,
  remove: deleteEndpoint,
};

export const PLANS: Declared<'plan', Plan> = {
  kind: 'plan',
  named: 'slug',
  insert: insertPlan,
  lock: lockPlan,
  update: updatePlan,
  remove: deletePlan,
};

type ProviderTestChange = Changes<{
  readonly 'provider.test': Created<
    { readonly id: string } & Partial<Pick<Provider, 'baseUrl' | 'apiKeyEnv' | 'apiKeyHeader'>>
  >;
}>;

/** The address and the key of a provider that is not declared yet. */
export type UndeclaredProvider = Pick<Provider, 'baseUrl' | 'apiKeyEnv' | 'apiKeyHeader'>;

/** Asks the gateways for a test of a provider. @throws violation of a reference for an unknown provider */
export async function requestProviderTest(act: Act<ProviderTestChange>, provider: string): Promise<ProviderTestState> {
  const made = await insertTest(act, { provider_id: provider });
  act.record({ action: 'provider.test', target: `provider:${provider}`, before: null, after: { id: made.id } });
  return made;
}

/** Asks the gateways for a test of what may become a provider. The log names its address and the variable of its key. */
export async function requestConnectionTest(
  act: Act<ProviderTestChange>,
  provider: UndeclaredProvider,
): Promise<ProviderTestState> {
  const { baseUrl, apiKeyEnv, apiKeyHeader } = provider;
  const made = await insertTest(act, { base_url: baseUrl, api_key_env: apiKeyEnv, api_key_header: apiKeyHeader });
  const after = { id: made.id, baseUrl, apiKeyEnv, apiKeyHeader };
  act.record({ action: 'provider.test', target: 'provider:undeclared', before: null, after });
  return made;
}

async function insertTest(
  { sql, author }: Pick<Act, 'sql' | 'author'>,
  target: Record<string, string | null>,
): Promise<ProviderTestState> {
  return onlyRow(
    await sql<ProviderTestState[]>`
    insert into provider_tests ${sql({ id: uuid(), requested_by: author, ...target })} returning ${providerTestColumns(sql)}`,
  );
}

export interface AccountEntry {
  readonly username: string;
  readonly origin: 'local' | 'directory';
  readonly enabled: boolean;
  /** Slug of the plan; null where none is attached. */
  readonly plan: string | null;
  readonly displayName: string | null;
  readonly email: string | null;
  readonly createdAt: string;
  /** The keys in force, each by its last four characters. */
  readonly keys: readonly {
    readonly label: string;
    readonly lastFour: string;
    readonly createdAt: string;
    readonly expiresAt: string | null;
  }[];
}

const isoText = (sql: Queryable, column: 'created_at' | 'expires_at') =>
  sql`to_char(${sql(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export async function listAccounts(sql: Queryable): Promise<readonly AccountEntry[]> {
  const rows = await sql<(Omit<AccountEntry, 'createdAt'> & { createdAt: Date })[]>`
    select username, origin, enabled, display_name as "displayName", email, account.created_at as "createdAt",
      (select slug from plans where id = account.plan_id) as plan,
      coalesce((select json_agg(json_build_object('label', label, 'lastFour', last_four,
          'createdAt', ${isoText(sql, 'created_at')}, 'expiresAt', ${isoText(sql, 'expires_at')}) order by created_at)
        from account_keys where account_id = account.id and revoked_at is null and (expires_at is null or expires_at > now())), '[]') as keys
    from accounts account order by username`;
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
}

/** The id of a plan; undefined where there is no plan with this slug. */
export async function readPlanId(sql: Queryable, slug: string): Promise<string | undefined> {
  const [plan] = await sql<{ id: string }[]>`select id from plans where slug = ${slug}`;
  return plan?.id;
}

export interface HeldRole extends Grant {
  readonly author: string;
  /** ISO 8601. */
  readonly grantedAt: string;
}

/**
 * The roles of a subject, or of all subjects, with the authors of the assignments.
 * @param among `people`: without the roles that come from a group
 */
export async function listRoles(
  sql: Queryable,
  subject: string | null,
  among: 'all' | 'people' = 'all',
): Promise<readonly HeldRole[]> {
  const rows = await sql<(Grant & { author: string; grantedAt: Date })[]>`
    select subject, role, project, author, granted_at as "grantedAt" from role_assignments
    where (${subject}::text is null or subject = ${subject}) and (${among === 'all'} or group_role_id is null)
    order by subject, role, project`;
  return rows.map((row) => ({ ...row, grantedAt: row.grantedAt.toISOString() }));
}

/** A member of a project. */
export interface ProjectMember {
  readonly project: string;
  readonly subject: string;
  readonly addedBy: string;
  /** ISO 8601. */
  readonly addedAt: string;
}

/** The members of a project by name, or of all projects. */
export async function listProjectMembers(sql: Queryable, project: string | null): Promise<readonly ProjectMember[]> {
  const rows = await sql<(Omit<ProjectMember, 'addedAt'> & { addedAt: Date })[]>`
    select project, subject, added_by as "addedBy", added_at as "addedAt" from project_members
    where ${project}::text is null or project = ${project} order by project, subject`;
  return rows.map((row) => ({ ...row, addedAt: row.addedAt.toISOString() }));
}
