import { isDeepStrictEqual } from 'node:util';
import { ScimFault } from './answers.ts';
import { type Filter, matches, parseFilter, withoutSchema } from './filter.ts';
import { NAME_MEMBERS, PATCH_OP } from './schemas.ts';
import { flagOf, isMembers, type Members, MOST_EMAILS, member } from './user.ts';

type Verb = 'add' | 'replace' | 'remove';

/** One change of a PATCH. Without a path, the members of the value are the attributes. */
export type Operation =
  | { readonly verb: Verb; readonly path: string; readonly value: unknown }
  | { readonly verb: Verb; readonly path: null; readonly value: Members };

/** Stored attributes, by their name in lower case. Others are ignored. */
const SIMPLE = new Map(['userName', 'externalId', 'active', 'displayName'].map((name) => [name.toLowerCase(), name]));
const PARTS = new Map(NAME_MEMBERS.map((name) => [name.toLowerCase(), name]));
const EMAIL_MEMBERS = new Map(['value', 'type', 'display', 'primary'].map((name) => [name, name]));
/** Each operation may look at every element of a list, which may have thousands. */
const MOST_OPERATIONS = 2000;
/** What the service alone writes. */
export const READ_ONLY: ReadonlySet<string> = new Set(['id', 'meta', 'schemas', 'groups']);

export interface Path {
  readonly name: string;
  readonly filter: Filter | null;
  readonly part: string | null;
}

/**
 * Applies the operations of RFC 7644 section 3.5.2, in the forms that Entra ID and Okta send as well: verbs in any case, a value without a
 * path whose members are paths, booleans as texts.
 * @param user what may be written of the user; it is changed
 * @throws ScimFault; the caller then keeps nothing
 */
export function applyPatch(user: Members, body: Members): void {
  for (const operation of operationsOf(body)) applyOperation(user, operation);
}

/** The operations of a PATCH. @throws ScimFault where it is none */
export function operationsOf(body: Members): readonly Operation[] {
  const schemas = member(body, 'schemas');
  if (!Array.isArray(schemas) || !schemas.includes(PATCH_OP)) {
    throw new ScimFault(400, `schemas must contain ${PATCH_OP}.`, 'invalidSyntax');
  }
  const operations = member(body, 'Operations');
  if (!Array.isArray(operations) || operations.length === 0) {
    throw new ScimFault(400, 'Operations must be a list with at least one operation.', 'invalidSyntax');
  }
  if (operations.length > MOST_OPERATIONS) {
    throw new ScimFault(400, `Operations must have at most ${MOST_OPERATIONS} elements.`, 'invalidValue');
  }
  return (operations as readonly unknown[]).map(operationOf);
}

function operationOf(operation: unknown): Operation {
  if (!isMembers(operation)) throw new ScimFault(400, 'An operation must be an object.', 'invalidSyntax');
  const verb = String(member(operation, 'op')).toLowerCase();
  if (!isVerb(verb)) throw new ScimFault(400, 'op must be add, replace or remove.', 'invalidSyntax');
  const [path, value] = [member(operation, 'path'), member(operation, 'value')];
  if (path !== undefined && typeof path !== 'string') throw new ScimFault(400, 'path must be text.', 'invalidPath');
  if (path !== undefined && path.trim() !== '') return { verb, path, value };
  if (verb === 'remove') throw new ScimFault(400, 'remove needs a path.', 'noTarget');
  if (!isMembers(value)) throw new ScimFault(400, 'Without a path, value must be an object.', 'invalidValue');
  return { verb, path: null, value };
}

function applyOperation(user: Members, operation: Operation): void {
  const { verb, path, value } = operation;
  if (path !== null) return applyAt(user, verb, path, value);
  for (const [name, each] of Object.entries(value)) applyMember(user, verb, name, each);
}

/** A member of a value without a path: an attribute, a path, or the URN of a schema over attributes of its own. */
function applyMember(user: Members, verb: Verb, name: string, value: unknown): void {
  if (/^urn:/i.test(name) && isMembers(value)) {
    for (const [inner, each] of Object.entries(value)) applyAt(user, verb, `${name}:${inner}`, each);
    return;
  }
  // The client returns what it read: no change.
  if (READ_ONLY.has(name.toLowerCase())) return;
  applyAt(user, verb, name, value);
}

const isVerb = (word: string): word is Verb => ['add', 'replace', 'remove'].includes(word);

const PATH = /^([A-Za-z][\w$-]*)(?:\[(.+)\])?(?:\.([A-Za-z][\w$-]*))?$/s;

/** The parts of a path, with the name in lower case. */
export function pathOf(text: string): Path {
  // The URN of the core schema may precede an attribute; a colon inside a filter is not part of it.
  const [before = '', ...rest] = text.trim().split('[');
  const [, name, filter, part] = PATH.exec([withoutSchema(before), ...rest].join('[')) ?? [];
  if (name === undefined) throw new ScimFault(400, `The path "${text}" cannot be read.`, 'invalidPath');
  return { name: name.toLowerCase(), filter: filter === undefined ? null : parseFilter(filter), part: part ?? null };
}

function applyAt(user: Members, verb: Verb, text: string, value: unknown): void {
  const isForeign = /^urn:/i.test(text) && !/^urn:ietf:params:scim:schemas:core:2\.0:user:/i.test(text);
  if (isForeign) return;
  const path = pathOf(text);
  if (READ_ONLY.has(path.name)) throw new ScimFault(400, `${path.name} is read-only.`, 'mutability');
  if (verb !== 'remove' && value === undefined) throw new ScimFault(400, `${verb} needs a value.`, 'invalidValue');
  if (path.name === 'emails') return applyToEmails(user, verb, path, value);
  if (path.name === 'name') return applyToName(user, verb, path.part, value);
  const simple = SIMPLE.get(path.name);
  if (simple === undefined) return;
  if (path.filter !== null || path.part !== null) {
    throw new ScimFault(400, `${simple} has no parts.`, 'invalidPath');
  }
  // A null would leave it to the default, which serves the person.
  if (verb !== 'remove') user[simple] = simple === 'active' ? flagOf(single(value), simple) : single(value);
  else if (simple === 'userName' || simple === 'active') {
    throw new ScimFault(400, `${simple} cannot be removed.`, 'mutability');
  } else delete user[simple];
}

/** Entra ID wraps a single value as `[{"value": …}]`. */
export function single(value: unknown): unknown {
  const [first] = Array.isArray(value) && value.length === 1 ? (value as readonly unknown[]) : [value];
  return isMembers(first) && 'value' in first ? first['value'] : first;
}

function applyToName(user: Members, verb: Verb, part: string | null, value: unknown): void {
  const before = isMembers(user['name']) ? user['name'] : {};
  if (part === null) {
    if (verb === 'remove') delete user['name'];
    else if (isMembers(value)) user['name'] = { ...before, ...value };
    else throw new ScimFault(400, 'name must be an object.', 'invalidValue');
    return;
  }
  const known = PARTS.get(part.toLowerCase());
  if (known === undefined) return;
  user['name'] = { ...before, [known]: verb === 'remove' ? null : single(value) };
}

function applyToEmails(user: Members, verb: Verb, { filter, part }: Path, value: unknown): void {
  const emails = Array.isArray(user['emails']) ? (user['emails'] as Members[]) : [];
  if (emails.length > MOST_EMAILS)
    throw new ScimFault(400, `emails must be a list of at most ${MOST_EMAILS}.`, 'invalidValue');
  const chosen = filter === null ? emails : emails.filter((email) => matches(filter, email));
  if (verb === 'remove') {
    if (part === null) user['emails'] = emails.filter((email) => !chosen.includes(email));
    else for (const email of chosen) delete email[partOf(part)];
    return;
  }
  if (part === null && filter === null) {
    const given = (Array.isArray(value) ? value : [value]) as readonly unknown[];
    const added = given.map((one) => (isMembers(one) ? one : { value: one }));
    user['emails'] = verb === 'replace' ? added : withAdded(emails, added);
    return;
  }
  // Identity providers replace elements that do not exist yet: they are created as the filter describes them.
  const targets = chosen.length > 0 ? chosen : [membersOf(filter)];
  if (chosen.length === 0) user['emails'] = [...emails, ...targets];
  for (const email of targets) Object.assign(email, part === null ? value : { [partOf(part)]: single(value) });
}

function partOf(part: string): string {
  const known = EMAIL_MEMBERS.get(part.toLowerCase());
  if (known === undefined) throw new ScimFault(400, `emails has no part ${part}.`, 'invalidPath');
  return known;
}

/** A new primary address takes that from the one before (RFC 7644, section 3.5.2.1); one that is there is not added twice. */
function withAdded(emails: readonly Members[], added: readonly Members[]): readonly Members[] {
  const fresh = added.filter((one) => !emails.some((email) => isDeepStrictEqual(email, one)));
  const isPrimary = fresh.some((one) => one['primary'] === true);
  return [...(isPrimary ? emails.map(({ primary: _primary, ...email }) => email) : emails), ...fresh];
}

/** An address as `[type eq "work"]` describes it. @throws ScimFault noTarget for filters that describe none */
function membersOf(filter: Filter | null): Members {
  if (filter === null) return {};
  if (filter.kind === 'and') return { ...membersOf(filter.one), ...membersOf(filter.other) };
  if (filter.kind !== 'compare' || filter.operator !== 'eq') {
    throw new ScimFault(400, 'No address matches the filter of the path.', 'noTarget');
  }
  return { [partOf(filter.path)]: filter.value };
}
