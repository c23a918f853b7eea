import type { Queryable } from '@gateway/database';
import { type LockedUser, lockUser, readPlanId } from '@gateway/database/administration';
import { listProviders, type Organization, readOrganizations } from '@gateway/database/console';
import { CommandFailed } from '../context/fault.ts';

/** An account, locked until the transaction ends. @throws CommandFailed where there is none of this name */
export async function findAccount(sql: Queryable, username: string): Promise<LockedUser> {
  const account = await lockUser(sql, { username });
  if (account === undefined) throw new CommandFailed(`There is no account ${username}.`);
  return account;
}

/** The id of a plan. @throws CommandFailed where there is none with this slug */
export async function findPlan(sql: Queryable, slug: string | null): Promise<string | null> {
  if (slug === null) return null;
  const id = await readPlanId(sql, slug);
  if (id === undefined) throw new CommandFailed(`There is no plan ${slug}.`);
  return id;
}

/** @throws CommandFailed where there is no organization with this slug */
export async function findOrganization(sql: Queryable, slug: string): Promise<Organization> {
  const found = (await readOrganizations(sql)).find((one) => one.slug === slug);
  if (found === undefined) throw new CommandFailed(`There is no organization ${slug}.`);
  return found;
}

/** The id of a provider. @throws CommandFailed where there is none with this slug */
export async function findProvider(sql: Queryable, slug: string): Promise<string> {
  const found = (await listProviders(sql, { limit: null, after: null })).find((one) => one.slug === slug);
  if (found === undefined) throw new CommandFailed(`There is no provider ${slug}.`);
  return found.id;
}
