import type { Queryable } from '@gateway/database';
import { changeThing, type Declared, declareThing, deleteThing } from '@gateway/database/audit-log/act';
import type { Violation } from '@gateway/database/client/conditions';
import { v7 as uuid } from 'uuid';
import type * as z from 'zod';
import { administer } from '../http/administer.ts';
import {
  createdResponse,
  emptyResponse,
  faulty,
  okResponse,
  refuseReferenced,
  refuseTaken,
  unknown,
} from '../http/answers.ts';
import { present } from '../http/fields.ts';
import { type Right, type Route, route } from '../http/route.ts';

type Fields<Thing> = Omit<Thing, 'id'>;
type Faults = Readonly<Record<string, string>>;

/** The routes of a kind of thing. */
export interface Declaration<Kind extends string, Thing extends { readonly id: string }> {
  readonly of: Declared<Kind, Thing>;
  readonly path: `/api/${string}`;
  readonly right: Right;
  readonly summaries: Readonly<Record<'create' | 'change' | 'remove', string>>;
  /** The body that declares one. */
  readonly whole: z.ZodType<Fields<Thing>>;
  /** The body of a change: absent members keep their value. */
  readonly parts: z.ZodType<{ readonly [Member in keyof Fields<Thing>]?: Thing[Member] | undefined }>;
  /** What answers show beside the members of a thing. */
  readonly shownWith?: object;
  /** Faults of the whole object. */
  readonly faultsOf?: (thing: Thing) => Faults | null;
  /** The member that contains the id of another object. */
  readonly refersTo?: keyof Thing & string;
  /** Faults that the schema finds, by constraint. */
  readonly violations?: Readonly<Record<string, Faults>>;
  /** What may refer to one, which then cannot be deleted: by constraint, or of any. */
  readonly referredToBy?: string | Readonly<Record<string, string>>;
  /** The names of the first that refer to one. */
  readonly namesReferring?: (sql: Queryable, id: string) => Promise<readonly string[]>;
}

/** The routes that declare, change and delete a thing: each does so and records it, both or neither. */
export function declarationRoutes<Kind extends string, Thing extends { readonly id: string }>(
  given: Declaration<Kind, Thing>,
): readonly Route[] {
  const { of, path, right, summaries, shownWith = {}, faultsOf = () => null, refersTo, referredToBy } = given;
  const { kind } = of;
  const refused = (violated: Violation): Response => {
    const known = given.violations?.[violated.constraint];
    if (known !== undefined) return faulty(known);
    return violated.kind === 'reference' && refersTo !== undefined
      ? faulty({ [refersTo]: 'must be the id of one that exists' })
      : refuseTaken(kind, of.named);
  };

  const create = route({
    method: 'POST',
    path,
    right,
    summary: summaries.create,
    answers: `201 ${kind}`,
    body: given.whole,
    async handle(call) {
      const thing = { id: uuid(), ...call.body } as Thing;
      const faults = faultsOf(thing);
      if (faults !== null) return faulty(faults);
      const outcome = await administer(call, (act) => declareThing(act, of, thing));
      return 'violated' in outcome ? refused(outcome.violated) : createdResponse({ ...thing, ...shownWith });
    },
  });

  const change = route({
    method: 'PATCH',
    path: `${path}/:id`,
    right,
    summary: summaries.change,
    answers: `200 ${kind}`,
    body: given.parts,
    async handle(call) {
      const outcome = await administer<Thing, 'absent' | Faults>(call, async (at) => {
        const before = (await of.lock(at.sql, call.parameters.id)) ?? at.abandon('absent');
        const after: Thing = { ...before, ...present(call.body) };
        const faults = faultsOf(after);
        if (faults !== null) at.abandon(faults);
        await changeThing(at, of, before, after);
        return after;
      });
      if ('violated' in outcome) return refused(outcome.violated);
      if ('done' in outcome) return okResponse({ ...outcome.done, ...shownWith });
      return outcome.abandoned === 'absent' ? unknown(kind) : faulty(outcome.abandoned);
    },
  });

  const remove = route({
    method: 'DELETE',
    path: `${path}/:id`,
    right,
    summary: summaries.remove,
    answers: '204',
    async handle(call) {
      const outcome = await administer<void, 'absent'>(call, async (at) => {
        const before = (await of.lock(at.sql, call.parameters.id)) ?? at.abandon('absent');
        await deleteThing(at, of, before);
      });
      if ('violated' in outcome && referredToBy !== undefined) {
        const by = typeof referredToBy === 'string' ? referredToBy : referredToBy[outcome.violated.constraint];
        const names = await given.namesReferring?.(call.services.database, call.parameters.id);
        return refuseReferenced(kind, by ?? 'something', names);
      }
      return 'done' in outcome ? emptyResponse() : unknown(kind);
    },
  });

  return [create, change, remove];
}
