import { line } from '@gateway/access/declarations';
import type { GroupMember, ProvisionedGroup } from '@gateway/database/console';
import { secretsIn } from '../input/secrets.ts';
import { invalid, ScimFault } from './answers.ts';
import { type Filter, matches } from './filter.ts';
import { type Operation, operationsOf, pathOf, READ_ONLY, single } from './patch.ts';
import { BASE, GROUP } from './schemas.ts';
import { isMembers, type Members, member } from './user.ts';

/** What an identity provider may write of a group. Members are ids of users. */
export interface GroupState {
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
