import type { Permission, Role } from '@gateway/contract';
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
