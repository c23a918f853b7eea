import { compilePolicySet } from '@gateway/access';
import { matrixGrants, PERMISSIONS, type Permission, ROLE_NAMES, type Role, roleOf } from '@gateway/contract';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideOn } from './authorize.ts';
import type { HeldRole, Subject } from './caller.ts';

const CALL = { method: 'GET', path: '/api/x', sourceAddress: '10.0.0.1', at: new Date('2026-01-01T00:00:00Z') };
const subject = (roles: readonly HeldRole[], name = 'ada'): Subject => ({
  kind: 'subject',
  subject: name,
  credential: 'key',
  keyId: null,
  roles,
  policy: null,
});
const held = (...roles: Role[]): HeldRole[] =>
  roles.map((role) => ({ role, project: role === 'administrateur-de-projet' ? 'apollo' : null }));
const judge = (caller: Subject, permission: Permission, project?: string, cedar?: string) =>
  decideOn(caller, { permission }, project, CALL, cedar === undefined ? null : compilePolicySet(cedar));

describe('a right', () => {
  it('is what the matrix says, for every role and permission', () => {
    for (const role of ROLE_NAMES) {
      for (const permission of PERMISSIONS) {
        const { granted } = judge(subject(held(role)), permission);
        expect([role, permission, granted]).toEqual([role, permission, matrixGrants([role], permission)]);
      }
    }
  });
  it('names the missing permission, and the role with it', () => {
    expect(judge(subject([]), 'journal:lire')).toEqual({
      granted: false,
      reason: 'role-missing',
      detail: null,
      refused: expect.objectContaining({
        code: 'permission-missing',
        details: { permission: 'journal:lire', role: 'auditeur' },
      }),
    });
  });
  it('on a project applies to that project only', () => {
    const administrator = subject(held('administrateur-de-projet'));
    expect(judge(administrator, 'membres:lire', 'apollo').granted).toBe(true);
    expect(judge(administrator, 'membres:lire', 'gemini').granted).toBe(false);
    expect(judge(administrator, 'console:administrer-un-projet').granted).toBe(true);
    expect(judge(subject(held('utilisateur-standard')), 'console:administrer-un-projet').granted).toBe(false);
  });
  it('of the instance is not gained by naming a project', () => {
    expect(judge(subject(held('administrateur-de-projet')), 'attributions:administrer', 'apollo').granted).toBe(false);
    expect(judge(subject(held('administrateur-d-instance')), 'attributions:administrer', 'apollo').granted).toBe(true);
  });
});

describe('the shared pair', () => {
  // console-5
  it('opens everything, even if a policy forbids it', () => {
    const forbid = compilePolicySet('forbid(principal, action, resource);');
    for (const permission of PERMISSIONS) {
      expect(decideOn({ kind: 'shared-pair' }, { permission }, undefined, CALL, forbid)).toEqual({ granted: true });
    }
    expect(decideOn({ kind: 'shared-pair' }, 'shared-pair', undefined, CALL, forbid)).toEqual({ granted: true });
  });
  it('is no role: its routes are closed to every role', () => {
    for (const role of ROLE_NAMES) {
      expect(decideOn(subject(held(role)), 'shared-pair', undefined, CALL, null)).toMatchObject({
        granted: false,
        reason: 'shared-pair-only',
      });
    }
  });
});

describe('a policy', () => {
  it('takes a right away, and is named to auditors alone', () => {
    const cedar = '@id("closed for stocktaking")\nforbid(principal, action, resource);';
    const verdict = judge(subject(held('auditeur')), 'journal:lire', undefined, cedar);
    expect(verdict).toMatchObject({ granted: false, reason: 'policy-forbids', detail: 'closed for stocktaking' });
    expect(JSON.stringify('refused' in verdict && verdict.refused)).not.toContain('stocktaking');
  });
  it('may take away one project of several', () => {
    const both: HeldRole[] = ['apollo', 'gemini'].map((project) => ({ role: 'administrateur-de-projet', project }));
    const cedar = 'forbid(principal, action, resource == Project::"apollo");';
    expect(judge(subject(both), 'membres:lire', 'apollo', cedar).granted).toBe(false);
    expect(judge(subject(both), 'membres:lire', 'gemini', cedar).granted).toBe(true);
    // The surface opens as long as one project is left.
    expect(judge(subject(both), 'console:administrer-un-projet', undefined, cedar).granted).toBe(true);
  });
  it('that uses an unknown attribute refuses', () => {
    const cedar = 'forbid(principal, action, resource) when { context.sourceAddress.isLoopback() };';
    const unknown = { ...CALL, sourceAddress: null };
    const verdict = decideOn(
      subject(held('auditeur')),
      { permission: 'journal:lire' },
      undefined,
      unknown,
      compilePolicySet(cedar),
    );
    expect(verdict).toMatchObject({ granted: false, reason: 'policy-error' });
  });
  it('never extends the matrix, for any policy and any caller', () => {
    const sets = [
      null,
      'forbid(principal, action == Action::"journal:lire", resource);',
      'forbid(principal in Role::"auditeur", action, resource);',
      'forbid(principal == Subject::"ada", action, resource) unless { context.method == "GET" };',
      'forbid(principal, action, resource) when { context.path like "/api/*" };',
    ].map((text) => (text === null ? null : compilePolicySet(text)));
    fc.assert(
      fc.property(
        fc.subarray([...ROLE_NAMES]),
        fc.constantFrom(...PERMISSIONS),
        fc.constantFrom(undefined, 'apollo', 'gemini'),
        fc.constantFrom(...sets),
        fc.constantFrom('ada', 'grace'),
        fc.constantFrom('GET', 'POST'),
        (roles, permission, project, policies, name, method) => {
          const caller = subject(held(...roles), name);
          const { granted } = decideOn(caller, { permission }, project, { ...CALL, method }, policies);
          expect(granted && !roles.includes(roleOf(permission))).toBe(false);
          expect(granted && !decideOn(caller, { permission }, project, { ...CALL, method }, null).granted).toBe(false);
        },
      ),
      { verbose: true, numRuns: 500 },
    );
  });
});
