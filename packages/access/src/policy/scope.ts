import type { Cedar } from './engine.ts';
import { actionOf, type EntityName, type PolicyRequest, principalOf, resourceOf, rolesOf } from './request.ts';

type Scope = Pick<Cedar.PolicyJson, 'principal' | 'action' | 'resource'>;

/**
 * Whether a policy's head (`principal == …, action == …, resource is …`) fits a request. A policy that does not fit can neither
 * forbid nor err, so the engine need not evaluate it; most policies name other subjects or actions. A property test compares this
 * with the engine's own decision on the whole set.
 */
export function scopeFits({ principal, action, resource }: Scope, request: PolicyRequest): boolean {
  return (
    actionFits(action, actionOf(request)) &&
    entityFits(principal, principalOf(request), rolesOf(request)) &&
    entityFits(resource, resourceOf(request), [])
  );
}

function entityFits(
  constraint: Cedar.PrincipalConstraint | Cedar.ResourceConstraint,
  self: EntityName,
  parents: EntityName[],
): boolean {
  if (constraint.op === 'All') return true;
  if (constraint.op === '==') return 'entity' in constraint && same(constraint.entity, self);
  if (constraint.op === 'in') return within(constraint, self, parents);
  return constraint.entity_type === self.type && (!constraint.in || within(constraint.in, self, parents));
}

function actionFits(constraint: Cedar.ActionConstraint, self: EntityName): boolean {
  if (constraint.op === 'All') return true;
  if ('entities' in constraint) return constraint.entities.some((entity) => same(entity, self));
  return 'entity' in constraint && same(constraint.entity, self);
}

function within(constraint: Cedar.PrincipalOrResourceInConstraint, self: EntityName, parents: EntityName[]): boolean {
  return 'entity' in constraint && [self, ...parents].some((entity) => same(constraint.entity, entity));
}

function same(named: Cedar.EntityUidJson, entity: EntityName): boolean {
  const { type, id } = '__entity' in named ? named.__entity : named;
  return type === entity.type && id === entity.id;
}
