import { PROVISIONING_AUTHOR } from '@gateway/contract';
import { line } from '@gateway/contract/fields';
import {
  type GroupMember,
  listGroupMembers,
  lockProvisionedGroup,
  lockProvisionedUser,
  type ProvisionedGroup,
  type ProvisionedUser,
} from '@gateway/domain/account/console-provisioned';
import { describeOidcIdentity, isLocalAccount, lockSubjectRevocation } from '@gateway/domain/account/console-subjects';
import {
  changeProvisionedGroup,
  changeProvisionedUser,
  createProvisionedGroup,
  createProvisionedUser,
  deleteProvisionedGroup,
  deleteProvisionedUser,
  retireSubject,
  UnknownMember,
} from '@gateway/domain/account/provisioned-acts';
import { liftSubject, revokeSubject } from '@gateway/domain/account/subject-acts';
import { syncGroupRoles } from '@gateway/domain/role/acts';
import { v7 as uuid } from 'uuid';
import { administer, type Work } from '../http/administer.ts';
import { secretsIn } from '../http/body.ts';
import type { Caller } from '../http/caller.ts';
import type { Services } from '../http/services.ts';
import { invalid, ScimFault } from './answers.ts';
import { type Filter, matches } from './filter.ts';
import { type Operation, operationsOf, pathOf, READ_ONLY, single } from './patch.ts';
import { BASE, GROUP } from './schemas.ts';
import { isMembers, type Members, member, type SubjectAttribute, subjectOf, type UserFields } from './user.ts';

/** How users of the identity provider become subjects of this instance. */
export interface ProvisioningRules {
  readonly subjectAttribute: SubjectAttribute;
  /**
   * Whether a local account may be provisioned: where people have no other (the hosted build). Elsewhere local accounts are the
   * operator's own way in, and people of the identity provider are registered as such.
   */
  readonly localAccounts: boolean;
}

type At = Work<ScimFault>;

/** The author of every change over SCIM. It has no role. */
export const SCIM_CALLER: Caller = {
  kind: 'subject',
  subject: PROVISIONING_AUTHOR,
  credential: 'token',
  keyId: null,
  roles: [],
  policy: null,
};

/** Provisions, changes and removes users, each with its acts in one transaction. */
export class Provisioning {
  readonly #services: Services;
  readonly #rules: ProvisioningRules;

  constructor(services: Services, rules: ProvisioningRules) {
    this.#services = services;
    this.#rules = rules;
  }

  create(fields: UserFields, deadline: number): Promise<ProvisionedUser> {
    return this.#do(deadline, async (at) => {
      const subject = await this.#subjectFor(at, fields);
      const user = await createProvisionedUser(at, { id: uuid(), subject, ...fields });
      await this.#describe(at, user);
      await setStanding(at, user);
      return user;
    });
  }

  /** @param changed makes the new user from the current one. @throws ScimFault 404 where there is no such user */
  change(id: string, changed: (before: ProvisionedUser) => UserFields, deadline: number): Promise<ProvisionedUser> {
    return this.#do(deadline, async (at) => {
      const before = (await lockProvisionedUser(at.sql, id)) ?? at.abandon(unknownUser());
      const fields = changed(before);
      const named = subjectOf(fields, this.#rules.subjectAttribute);
      const subject = named === before.subject ? named : await this.#subjectFor(at, fields);
      const wanted = { ...before, ...fields, subject };
      if (JSON.stringify(comparable(wanted)) === JSON.stringify(comparable(before))) {
        await setStanding(at, before);
        return before;
      }
      const after = await changeProvisionedUser(at, before, wanted);
      await this.#describe(at, after);
      // A later user of the old name must not inherit its rights.
      await setStanding(at, after);
      if (subject !== before.subject) {
        await retireSubject(at, before.subject, `renamed over SCIM to ${subject}`);
        await syncGroupRoles(at, [before.subject, subject]);
      }
      return after;
    });
  }

  remove(id: string, deadline: number): Promise<void> {
    return this.#do(deadline, async (at) => {
      const before = (await lockProvisionedUser(at.sql, id)) ?? at.abandon(unknownUser());
      await deleteProvisionedUser(at, before);
      await retireSubject(at, before.subject, 'deleted over SCIM');
    });
  }

  async #do<Result>(deadline: number, work: (at: At) => Promise<Result>): Promise<Result> {
    const outcome = await administer<Result, ScimFault>(
      { services: this.#services, caller: SCIM_CALLER, deadline },
      work,
    );
    if ('done' in outcome) return outcome.done;
    if ('abandoned' in outcome) throw outcome.abandoned;
    const attribute =
      outcome.violated.constraint === 'provisioned_users_subject_key' ? this.#rules.subjectAttribute : 'userName';
    throw new ScimFault(409, `Another user has this ${attribute}.`, 'uniqueness');
  }

  async #subjectFor(at: At, fields: UserFields): Promise<string> {
    const subject = subjectOf(fields, this.#rules.subjectAttribute);
    if (this.#rules.localAccounts || !(await isLocalAccount(at.sql, subject))) return subject;
    return at.abandon(
      new ScimFault(
        409,
        `${subject} is a local account, which is not provisioned: disable it with gatewayctl.`,
        'uniqueness',
      ),
    );
  }

  async #describe(at: At, { subject, attributes }: ProvisionedUser): Promise<void> {
    if (this.#rules.localAccounts) return;
    const { displayName = attributes.name?.['formatted'] ?? null, emails = [] } = attributes;
    const email = (emails.find(({ primary }) => primary) ?? emails[0])?.value ?? null;
    await describeOidcIdentity(at.sql, { id: uuid(), subject, displayName, email });
  }
}

const unknownUser = (): ScimFault => new ScimFault(404, 'There is no such user.');

/** What a request can change, in one order. */
function comparable({ subject, userName, externalId, active, attributes }: ProvisionedUser): unknown {
  const { displayName = null, name = {}, emails = [] } = attributes;
  const parts = Object.entries(name).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const addresses = emails.map(({ value, type, display, primary }) => [value, type, display, primary]);
  return [subject, userName, externalId, active, displayName, parts, addresses];
}

/** Revokes the subject of an inactive user. A revocation that came over SCIM is lifted for an active one; only administrators lift theirs. */
async function setStanding(at: At, { subject, active }: ProvisionedUser): Promise<void> {
  if (!active) await revokeSubject(at, subject, 'deactivated over SCIM');
  const revocation = active ? await lockSubjectRevocation(at.sql, { inForceOf: subject }) : undefined;
  if (revocation?.author === PROVISIONING_AUTHOR) await liftSubject(at, revocation, 'activated over SCIM');
}

/** Provisions, changes and removes groups, each with its acts and the roles of its members in one transaction. */
export class GroupProvisioning {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  create({ members, ...fields }: GroupState, deadline: number): Promise<ProvisionedGroup> {
    return this.#do(deadline, (at) => createProvisionedGroup(at, fields, [...members]));
  }

  /** @param changed makes the new group from the current one. @throws ScimFault 404 where there is no such group */
  change(id: string, changed: (before: GroupState) => GroupState, deadline: number): Promise<ProvisionedGroup> {
    return this.#do(deadline, async (at) => {
      const before = (await lockProvisionedGroup(at.sql, id)) ?? at.abandon(unknownGroup());
      const members = new Set((await listGroupMembers(at.sql, [id])).map((one) => one.id));
      const { displayName, externalId } = before;
      const after = changed({ displayName, externalId, members });
      return changeProvisionedGroup(at, before, after, {
        added: [...after.members].filter((one) => !members.has(one)),
        removed: [...members].filter((one) => !after.members.has(one)),
      });
    });
  }

  remove(id: string, deadline: number): Promise<void> {
    return this.#do(deadline, async (at) => {
      await deleteProvisionedGroup(at, (await lockProvisionedGroup(at.sql, id)) ?? at.abandon(unknownGroup()));
    });
  }

  async #do<Result>(deadline: number, work: (at: At) => Promise<Result>): Promise<Result> {
    const call = { services: this.#services, caller: SCIM_CALLER, deadline };
    try {
      const outcome = await administer<Result, ScimFault>(call, work);
      if ('done' in outcome) return outcome.done;
      if ('abandoned' in outcome) throw outcome.abandoned;
    } catch (error) {
      if (error instanceof UnknownMember) throw invalid(`members: there is no user ${error.message}.`);
      throw error;
    }
    throw new ScimFault(409, 'Another group has this displayName.', 'uniqueness');
  }
}

export const unknownGroup = (): ScimFault => new ScimFault(404, 'There is no such group.');

/** What an identity provider may write of a group. Members are ids of users. */
interface GroupState {
  readonly displayName: string;
  readonly externalId: string | null;
  readonly members: ReadonlySet<string>;
}

/** A group as the protocol shows it. @param members null: they are left out */
export function groupResource(group: ProvisionedGroup, members: readonly GroupMember[] | null): Members {
  const { id, displayName, externalId, createdAt, modifiedAt } = group;
  return {
    schemas: [GROUP],
    id,
    ...(externalId === null ? {} : { externalId }),
    displayName,
    ...(members === null ? {} : { members: members.map(memberResource) }),
    meta: {
      resourceType: 'Group',
      created: createdAt.toISOString(),
      lastModified: modifiedAt.toISOString(),
      location: `${BASE}/Groups/${id}`,
    },
  };
}

const memberResource = ({ id, userName }: GroupMember): Members => ({
  value: id,
  display: userName,
  type: 'User',
  $ref: `${BASE}/Users/${id}`,
});

/** A name is the author of assignments, after `scim:`. */
const LONGEST_NAME = 250;

/** Reads a whole group. Attributes that are not stored are ignored. @throws ScimFault with the invalid attribute */
export function groupOf(given: Members): GroupState {
  const schemas = member(given, 'schemas');
  if (!Array.isArray(schemas) || !schemas.includes(GROUP)) {
    throw new ScimFault(400, `schemas must contain ${GROUP}.`, 'invalidSyntax');
  }
  return {
    displayName: nameOf(member(given, 'displayName')),
    externalId: externalIdOf(member(given, 'externalId')),
    members: new Set(idsOf(member(given, 'members') ?? [])),
  };
}

function nameOf(value: unknown): string {
  if (value === undefined || value === null || value === '') throw invalid('displayName is missing.');
  return requiredText(value, 'displayName', LONGEST_NAME);
}

const externalIdOf = (value: unknown): string | null =>
  value === undefined || value === null || value === '' ? null : requiredText(value, 'externalId', 255);

function requiredText(value: unknown, name: string, most: number): string {
  const checked = line(most).safeParse(typeof value === 'string' ? value.trim() : value);
  if (!checked.success) throw invalid(`${name} ${checked.error.issues[0]?.message ?? 'cannot be taken'}.`);
  if (Object.keys(secretsIn(JSON.stringify({ [name]: checked.data }))).length === 0) return checked.data;
  throw invalid(`${name} contains what looks like a secret; input is stored and displayed.`);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Ids of users: `[{value}]`, one `{value}`, or bare ids. */
function idsOf(value: unknown): readonly string[] {
  const list = (Array.isArray(value) ? value : [value]) as readonly unknown[];
  return list.map((one) => {
    const id = isMembers(one) ? member(one, 'value') : one;
    if (typeof id === 'string' && UUID.test(id)) return id.toLowerCase();
    throw invalid('members must contain the ids of users of this service.');
  });
}

/** A group while its operations are applied. */
interface PatchedGroup extends GroupState {
  readonly members: Set<string>;
}

/** Applies a PATCH, with the operations that Entra ID and Okta send. @throws ScimFault; the caller then keeps nothing */
export function patchedGroup(before: GroupState, body: Members): GroupState {
  // One copy: thousands of operations on thousands of members would each take another.
  return operationsOf(body).reduce(patched, { ...before, members: new Set(before.members) });
}

function patched(group: PatchedGroup, { verb, path, value }: Operation): PatchedGroup {
  if (path !== null) return patchedAt(group, verb, path, value);
  // The client returns what it read: no change.
  const named = Object.entries(value).filter(([name]) => !READ_ONLY.has(name.toLowerCase()));
  return named.reduce((state, [name, each]) => patchedAt(state, verb, name, each), group);
}

function patchedAt(group: PatchedGroup, verb: Operation['verb'], text: string, value: unknown): PatchedGroup {
  if (/^(?:urn|https?):/i.test(text) && !text.toLowerCase().startsWith(`${GROUP.toLowerCase()}:`)) return group;
  const { name, filter, part } = pathOf(text);
  if (READ_ONLY.has(name)) throw new ScimFault(400, `${name} is read-only.`, 'mutability');
  if (verb !== 'remove' && value === undefined) throw new ScimFault(400, `${verb} needs a value.`, 'invalidValue');
  switch (name) {
    case 'displayname':
      if (verb === 'remove') throw new ScimFault(400, 'displayName cannot be removed.', 'mutability');
      return { ...group, displayName: nameOf(single(value)) };
    case 'externalid':
      return { ...group, externalId: verb === 'remove' ? null : externalIdOf(single(value)) };
    case 'members':
      if (part !== null) throw new ScimFault(400, 'The parts of a member cannot be changed.', 'mutability');
      return { ...group, members: patchedMembers(group.members, verb, filter, value) };
    default:
      return group;
  }
}

function patchedMembers(
  members: Set<string>,
  verb: Operation['verb'],
  filter: ReturnType<typeof pathOf>['filter'],
  value: unknown,
): Set<string> {
  if (verb !== 'remove') {
    if (filter !== null) throw new ScimFault(400, `${verb} of members takes no filter.`, 'invalidPath');
    const ids = idsOf(value ?? []);
    if (verb === 'replace') return new Set(ids);
    for (const id of ids) members.add(id);
    return members;
  }
  // Okta names one member by a filter, Entra ID lists those that leave as a value; neither means all of them.
  if (filter !== null) for (const id of leavingBy(filter, members)) members.delete(id);
  else if (value === undefined || value === null) members.clear();
  else for (const id of idsOf(value)) members.delete(id);
  return members;
}

/** The members that a filter names: nearly always one by its id. */
function leavingBy(filter: Filter, members: ReadonlySet<string>): readonly string[] {
  const isOne = filter.kind === 'compare' && filter.operator === 'eq' && filter.path.toLowerCase() === 'value';
  if (isOne && typeof filter.value === 'string') return [filter.value.toLowerCase()];
  return [...members].filter((id) => matches(filter, { value: id }));
}
