import type { Queryable } from '../client/connect.ts';
import { deleteEndpoint, insertEndpoint, lockEndpoint, updateEndpoint } from '../queries/console/endpoints.ts';
import { deletePlan, insertPlan, lockPlan, updatePlan } from '../queries/console/hosted/plans.ts';
import { deleteModel, insertModel, lockModel, updateModel } from '../queries/console/models.ts';
import { deleteProvider, insertProvider, lockProvider, updateProvider } from '../queries/console/providers.ts';
import type { Act } from './act.ts';
import type { AdministrationChange, Things } from './changes.ts';

type Kind = keyof Things;

/** A kind of thing that administrators declare, change and delete by id. */
export interface Declared<K extends Kind> {
  readonly kind: K;
  /** The unique member that names one in the administration log. */
  readonly named: keyof Things[K] & string;
  readonly insert: (sql: Queryable, thing: Things[K]) => Promise<void>;
  /** Reads one and keeps it from changing until the transaction ends. */
  readonly lock: (sql: Queryable, id: string) => Promise<Things[K] | undefined>;
  readonly update: (sql: Queryable, thing: Things[K]) => Promise<void>;
  readonly remove: (sql: Queryable, id: string) => Promise<void>;
}

export const PROVIDERS: Declared<'provider'> = {
  kind: 'provider',
  named: 'slug',
  insert: insertProvider,
  lock: lockProvider,
  update: updateProvider,
  remove: deleteProvider,
};

export const MODELS: Declared<'model'> = {
  kind: 'model',
  named: 'slug',
  insert: insertModel,
  lock: lockModel,
  update: updateModel,
  remove: deleteModel,
};

export const ENDPOINTS: Declared<'endpoint'> = {
  kind: 'endpoint',
  named: 'name',
  insert: insertEndpoint,
  lock: lockEndpoint,
  update: updateEndpoint,
  remove: deleteEndpoint,
};

export const PLANS: Declared<'plan'> = {
  kind: 'plan',
  named: 'slug',
  insert: insertPlan,
  lock: lockPlan,
  update: updatePlan,
  remove: deletePlan,
};

const targetOf = <K extends Kind>(of: Declared<K>, thing: Things[K]): string => `${of.kind}:${String(thing[of.named])}`;

/** Declares a thing. */
export async function declareThing<K extends Kind>(
  { sql, record }: Act,
  of: Declared<K>,
  after: Things[K],
): Promise<void> {
  await of.insert(sql, after);
  record({ action: `${of.kind}.create`, target: targetOf(of, after), before: null, after } as AdministrationChange);
}

/** Changes a locked thing. */
export async function changeThing<K extends Kind>(
  { sql, record }: Act,
  of: Declared<K>,
  before: Things[K],
  after: Things[K],
): Promise<void> {
  await of.update(sql, after);
  record({ action: `${of.kind}.change`, target: targetOf(of, before), before, after } as AdministrationChange);
}

/** Deletes a locked thing. The schema refuses it while another thing refers to it. */
export async function deleteThing<K extends Kind>(
  { sql, record }: Act,
  of: Declared<K>,
  before: Things[K],
): Promise<void> {
  await of.remove(sql, before.id);
  record({ action: `${of.kind}.delete`, target: targetOf(of, before), before, after: null } as AdministrationChange);
}
