import type { Permission, Role } from '@gateway/contract';
import type { ParsedPolicy } from './parse.ts';
import { INSTANCE } from './schema.ts';

/** The resource of a permission. */
export type PolicyResource =
  | { readonly type: 'Endpoint'; readonly name: string; readonly model: string; readonly provider: string }
  | { readonly type: 'Project'; readonly name: string }
  | { readonly type: 'Instance' };

/** One request to a policy set: may this subject with these roles do this, here and now? */
export interface PolicyRequest {
  readonly subject: string;
  readonly roles: readonly Role[];
  readonly permission: Permission;
  readonly resource: PolicyResource;
  readonly call: {
    readonly session: string | null;
    readonly method: string;
    /** The request's target with its query, as written. */
    readonly path: string;
    /** IPv4 or IPv6; null where unknown: a policy that uses it then refuses. */
    readonly sourceAddress: string | null;
    readonly at: Date;
  };
}

/** An entity as the engine names it. */
export interface EntityName {
  readonly type: string;
  readonly id: string;
}

export function principalOf({ subject }: PolicyRequest): EntityName {
  return { type: 'Subject', id: subject };
}

export function actionOf({ permission }: PolicyRequest): EntityName {
  return { type: 'Action', id: permission };
}

export function resourceOf({ resource }: PolicyRequest): EntityName {
  return { type: resource.type, id: resource.type === 'Instance' ? INSTANCE : resource.name };
}

export function rolesOf({ roles }: PolicyRequest): EntityName[] {
  return roles.map((id) => ({ type: 'Role', id }));
}

/** An IPv4 peer of a socket that listens on both is `::ffff:10.0.0.1`, and a link-local one carries its interface (`fe80::1%eth0`). */
export function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
}

/** A name that a policy compares with, and its position. */
export interface MentionedName {
  readonly type: string;
  readonly id: string;
  readonly line: number;
  readonly column: number;
}

/** Every entity that policies name, once each, in the order of the text. */
export function findMentionedNames(policies: readonly ParsedPolicy[]): readonly MentionedName[] {
  const found = new Map<string, MentionedName>();
  for (const policy of policies) {
    for (const { type, id } of entitiesIn(policy.tree)) {
      const name = `${type}::${JSON.stringify(id)}`;
      if (!found.has(name)) found.set(name, { type, id, ...placeOf(policy, name) });
    }
  }
  return [...found.values()];
}

/** Cedar's JSON writes an entity as an object of two texts everywhere; no other node has these two members. */
function entitiesIn(node: unknown): readonly { readonly type: string; readonly id: string }[] {
  if (Array.isArray(node)) return node.flatMap(entitiesIn);
  if (typeof node !== 'object' || node === null) return [];
  const { type, id } = node as Readonly<Record<string, unknown>>;
  if (typeof type === 'string' && typeof id === 'string') return [{ type, id }];
  return Object.values(node).flatMap(entitiesIn);
}

/** The start of the name; where it is written in another way (escapes, spaces), the policy's own position. */
function placeOf({ text, position }: ParsedPolicy, name: string): { readonly line: number; readonly column: number } {
  const at = text.indexOf(name);
  if (at < 0) return { line: position.line, column: position.column };
  const before = text.slice(0, at).split('\n');
  const last = before.at(-1) ?? '';
  return before.length === 1
    ? { line: position.line, column: position.column + last.length }
    : { line: position.line + before.length - 1, column: last.length + 1 };
}
