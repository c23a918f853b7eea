import type { JsonValue } from '@gateway/ledger';
import type { Act } from '../../audit-log/act.ts';
import type { Queryable } from '../../client/connect.ts';
import { deleteEndpoint, type Endpoint, insertEndpoint, lockEndpoint, updateEndpoint } from './endpoints.ts';
import { deleteModel, insertModel, lockModel, type Model, updateModel } from './models.ts';
import { deleteProvider, insertProvider, lockProvider, type Provider, updateProvider } from './providers.ts';

/** A kind of thing that administrators declare, change and delete, each by its id. */
export interface Declared<Thing extends { readonly id: string }> {
  readonly kind: string;
  /** The member that names one in the administration log, and that no other one may bear. */
  readonly named: keyof Thing & string;
  readonly insert: (sql: Queryable, thing: Thing) => Promise<void>;
  /** Reads one and keeps it from changing until the transaction ends. */
  readonly lock: (sql: Queryable, id: string) => Promise<Thing | undefined>;
  readonly update: (sql: Queryable, thing: Thing) => Promise<void>;
  readonly remove: (sql: Queryable, id: string) => Promise<void>;
}

export const PROVIDERS: Declared<Provider> = {
  kind: 'provider',
  named: 'slug',
  insert: insertProvider,
  lock: lockProvider,
  update: updateProvider,
  remove: deleteProvider,
};

export const MODELS: Declared<Model> = {
  kind: 'model',
  named: 'slug',
  insert: insertModel,
  lock: lockModel,
  update: updateModel,
  remove: deleteModel,
};

export const ENDPOINTS: Declared<Endpoint> = {
  kind: 'endpoint',
  named: 'name',
  insert: insertEndpoint,
  lock: lockEndpoint,
  update: updateEndpoint,
  remove: deleteEndpoint,
};

const targetOf = <Thing extends { readonly id: string }>(of: Declared<Thing>, thing: Thing): string =>
  `${of.kind}:${String(thing[of.named])}`;

/** Things are records of texts, numbers and lists of them. */
const asJson = (thing: object): JsonValue => ({ ...thing });

/** Declares a thing; the act is recorded with it. The console and `gatewayctl apply` both call this. */
export async function declareThing<Thing extends { readonly id: string }>(
  { sql, record }: Act,
  of: Declared<Thing>,
  thing: Thing,
): Promise<void> {
  await of.insert(sql, thing);
  await record({ action: `${of.kind}.create`, target: targetOf(of, thing), before: null, after: asJson(thing) });
}

/** Changes a locked thing. */
export async function changeThing<Thing extends { readonly id: string }>(
  { sql, record }: Act,
  of: Declared<Thing>,
  before: Thing,
  after: Thing,
): Promise<void> {
  await of.update(sql, after);
  const [target, values] = [targetOf(of, before), { before: asJson(before), after: asJson(after) }];
  await record({ action: `${of.kind}.change`, target, ...values });
}

/** Deletes a locked thing. The schema refuses it while another one refers to it. */
export async function deleteThing<Thing extends { readonly id: string }>(
  { sql, record }: Act,
  of: Declared<Thing>,
  before: Thing,
): Promise<void> {
  await of.remove(sql, before.id);
  await record({ action: `${of.kind}.delete`, target: targetOf(of, before), before: asJson(before), after: null });
}
