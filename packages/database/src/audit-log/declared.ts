import type { Queryable } from '../client/connect.ts';
import type { Act, Changed, Created, Deleted } from './act.ts';

interface Thing {
  readonly id: string;
}

/** A kind of thing that administrators declare, change and delete by id. */
export interface Declared<Kind extends string, One extends Thing> {
  readonly kind: Kind;
  /** The unique member that names one in the administration log. */
  readonly named: keyof One & string;
  readonly insert: (sql: Queryable, thing: One) => Promise<void>;
  /** Reads one and keeps it from changing until the transaction ends. */
  readonly lock: (sql: Queryable, id: string) => Promise<One | undefined>;
  readonly update: (sql: Queryable, thing: One) => Promise<void>;
  readonly remove: (sql: Queryable, id: string) => Promise<void>;
}

/** What is recorded of a kind of thing. */
export type DeclaredChange<Kind extends string, One> =
  | ({ readonly action: `${Kind}.create`; readonly target: string } & Created<One>)
  | ({ readonly action: `${Kind}.change`; readonly target: string } & Changed<One>)
  | ({ readonly action: `${Kind}.delete`; readonly target: string } & Deleted<One>);

const targetOf = <One extends Thing>(of: Declared<string, One>, thing: One): string =>
  `${of.kind}:${String(thing[of.named])}`;

/** Declares a thing. */
export async function declareThing<Kind extends string, One extends Thing>(
  { sql, record }: Act<DeclaredChange<Kind, One>>,
  of: Declared<Kind, One>,
  after: One,
): Promise<void> {
  await of.insert(sql, after);
  record({ action: `${of.kind}.create`, target: targetOf(of, after), before: null, after } as DeclaredChange<
    Kind,
    One
  >);
}

/** Changes a locked thing. */
export async function changeThing<Kind extends string, One extends Thing>(
  { sql, record }: Act<DeclaredChange<Kind, One>>,
  of: Declared<Kind, One>,
  before: One,
  after: One,
): Promise<void> {
  await of.update(sql, after);
  record({ action: `${of.kind}.change`, target: targetOf(of, before), before, after });
}

/** Deletes a locked thing. The schema refuses it while another thing refers to it. */
export async function deleteThing<Kind extends string, One extends Thing>(
  { sql, record }: Act<DeclaredChange<Kind, One>>,
  of: Declared<Kind, One>,
  before: One,
): Promise<void> {
  await of.remove(sql, before.id);
  record({ action: `${of.kind}.delete`, target: targetOf(of, before), before, after: null } as DeclaredChange<
    Kind,
    One
  >);
}
