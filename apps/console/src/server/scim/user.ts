import { isReservedName } from '@gateway/contract';
import { line, subject } from '@gateway/contract/fields';
import type { PersonAttributes, ProvisionedUser } from '@gateway/domain/account/console-provisioned';
import { secretsIn } from '../http/body.ts';
import { invalid, ScimFault } from './answers.ts';
import { BASE, NAME_MEMBERS, USER } from './schemas.ts';

/** What an identity provider may write of a user. */
export interface UserFields {
  readonly userName: string;
  readonly externalId: string | null;
  readonly active: boolean;
  readonly attributes: PersonAttributes;
}

/** The attribute of a user that is the subject of its calls. */
export type SubjectAttribute = 'userName' | 'externalId';

export type Members = Record<string, unknown>;

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A user as the protocol shows it. */
export function resourceOf(user: ProvisionedUser): Members {
  const { id, userName, externalId, active, attributes, createdAt, modifiedAt } = user;
  return {
    schemas: [USER],
    id,
    ...(externalId === null ? {} : { externalId }),
    userName,
    ...attributes,
    active,
    meta: {
      resourceType: 'User',
      created: createdAt.toISOString(),
      lastModified: modifiedAt.toISOString(),
      location: `${BASE}/Users/${id}`,
    },
  };
}

/** The same as what may be written: the members that a PATCH works on. */
export function writableOf({ userName, externalId, active, attributes }: UserFields): Members {
  return structuredClone({ userName, ...(externalId === null ? {} : { externalId }), active, ...attributes });
}

/** A member by its name in any case. */
export function member(members: Members, name: string): unknown {
  const lower = name.toLowerCase();
  return Object.entries(members).find(([key]) => key.toLowerCase() === lower)?.[1];
}

/**
 * Reads the requested user. Attributes that are not stored are ignored: identity providers send many by default, and a password
 * is never stored.
 * @throws ScimFault with the invalid attribute
 */
export function fieldsOf(given: Members): UserFields {
  const userName = memberText(given, 'userName', 255);
  if (userName === null) throw invalid('userName is missing.');
  const fields: UserFields = {
    userName,
    externalId: memberText(given, 'externalId', 255),
    active: flagOf(member(given, 'active') ?? true, 'active'),
    attributes: attributesOf(given),
  };
  const [pointer] = Object.keys(secretsIn(JSON.stringify(fields)));
  if (pointer !== undefined) throw invalid(`${pointer} holds what looks like a secret; input is stored and displayed.`);
  return fields;
}

function attributesOf(given: Members): PersonAttributes {
  const displayName = memberText(given, 'displayName', 200);
  const name = member(given, 'name') ?? {};
  if (!isMembers(name)) throw invalid('name must be an object.');
  const parts = NAME_MEMBERS.flatMap((part): [string, string][] => {
    const text = memberText(name, part, 200, 'name.');
    return text === null ? [] : [[part, text]];
  });
  const emails = emailsOf(member(given, 'emails') ?? []);
  return {
    ...(displayName === null ? {} : { displayName }),
    ...(parts.length === 0 ? {} : { name: Object.fromEntries(parts) }),
    ...(emails.length === 0 ? {} : { emails }),
  };
}

export const MOST_EMAILS = 20;

function emailsOf(given: unknown): NonNullable<PersonAttributes['emails']> {
  if (!Array.isArray(given) || given.length > MOST_EMAILS)
    throw invalid(`emails must be a list of at most ${MOST_EMAILS}.`);
  const emails = given.map((one: unknown) => {
    if (!isMembers(one)) throw invalid('emails must contain objects.');
    const value = memberText(one, 'value', 320, 'emails.');
    if (value === null) return null;
    const [type, display] = [memberText(one, 'type', 50, 'emails.'), memberText(one, 'display', 320, 'emails.')];
    const primary = flagOf(member(one, 'primary') ?? false, 'emails.primary');
    return {
      value,
      ...(type === null ? {} : { type }),
      ...(display === null ? {} : { display }),
      ...(primary ? { primary } : {}),
    };
  });
  const kept = emails.filter((one) => one !== null);
  if (kept.filter((one) => 'primary' in one).length > 1) throw invalid('emails must have at most one that is primary.');
  return kept;
}

/** A text; null where it is absent, null or empty, which unassigns an attribute (RFC 7643, section 2.5). */
function memberText(given: Members, name: string, most: number, below = ''): string | null {
  const value = member(given, name);
  if (value === undefined || value === null || value === '') return null;
  const checked = line(most).safeParse(typeof value === 'string' ? value.trim() : value);
  if (checked.success) return checked.data;
  throw invalid(`${below}${name} ${checked.error.issues[0]?.message ?? 'cannot be taken'}.`);
}

/** True or false; Entra ID writes them as texts too. */
export function flagOf(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string' && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  throw invalid(`${name} must be true or false.`);
}

/** The subject of a user. @throws ScimFault if its attribute is absent or reserved for the product */
export function subjectOf(fields: UserFields, attribute: SubjectAttribute): string {
  const text = subject.safeParse(fields[attribute]);
  if (!text.success) throw invalid(`${attribute} is missing: it names the subject here (CONSOLE_SCIM_SUBJECT).`);
  if (!isReservedName(text.data)) return text.data;
  throw new ScimFault(400, `${attribute} is a reserved name.`, 'invalidValue');
}
