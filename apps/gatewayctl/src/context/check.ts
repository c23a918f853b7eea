import {
  isReservedName,
  isSessionName,
  LONGEST_SESSION,
  ROLE_ALIASES,
  ROLE_NAMES,
  type Role,
  roleNamed,
} from '@gateway/contract';
import { email, line } from '@gateway/contract/fields';
import { hasVisibleEnds } from '@gateway/contract/legible';
import { isOrganizationName, isOrganizationSlug } from '@gateway/domain/organization/shape';
import { projectFault } from '@gateway/domain/role/acts';
import { maskText } from '@gateway/secrets';
import { WrongUsage } from './context.ts';

/** A name of a person or an object: one line of at most 255 characters. The schema checks the same. */
export function checkName(value: string, what: string, most = 255): string {
  if (value.length === 0 || value.length > most || /\p{Cc}/u.test(value)) {
    throw new WrongUsage(`The ${what} must be one line of 1 to ${most} characters.`);
  }
  return value;
}

/**
 * Texts that the administration log keeps for ever: new names, authors and reasons. They may not be blank or contain a secret.
 */
export function checkText(value: string, what: string, most = 255): string {
  const text = withoutSecret(checkName(value, what, most), what);
  if (text.trim() === '') throw new WrongUsage(`The ${what} must not be blank.`);
  return text;
}

/** Why a text is refused that holds a secret, which could never be removed from the log. The console refuses it too. */
export function secretFault(text: string): string | null {
  return maskText(text) === text ? null : 'holds what looks like a secret; input is stored and displayed';
}

/** A key is easily pasted into the wrong field. */
function withoutSecret(value: string, what: string): string {
  const fault = secretFault(value);
  if (fault === null) return value;
  throw new WrongUsage(`The ${what} ${fault}.`);
}

/** The reason of a revocation or its lifting, with the console's maximum length. */
export function checkReason(value: string): string {
  return checkText(value, 'reason', 300);
}

/** Any name that a session can have: the client that runs a session chooses it, and every session must be revocable. */
export function checkSession(value: string): string {
  if (isSessionName(value)) return value;
  throw new WrongUsage(`The session must have 1 to ${LONGEST_SESSION} characters.`);
}

/** Words that are made here, and that lists show: what nobody sees in them is refused, as the console refuses it. */
export function checkLine(value: string, what: string, most: number): string {
  if (!line(most).safeParse(value).success) {
    throw new WrongUsage(
      `The ${what} must be one visible line of 1 to ${most} characters, without a space at its beginning or end.`,
    );
  }
  return withoutSecret(value, what);
}

/** The name of an account, as the console takes it. */
export function checkUsername(value: string): string {
  if (!hasVisibleEnds(value)) throw new WrongUsage('The name must begin and end with a visible character.');
  if (!isReservedName(value)) return checkLine(value, 'name', 255);
  throw new WrongUsage(
    `The name "${value}" is reserved. Account names cannot be shared-pair or scim, or begin with workload:.`,
  );
}

/** An e-mail address, as the console takes it. */
export function checkEmail(value: string): string {
  if (email.safeParse(value).success) return withoutSecret(value, 'e-mail address');
  throw new WrongUsage(`"${value}" is not an e-mail address.`);
}

/** A day, which begins at midnight UTC, or an instant with its zone. @returns ISO 8601 */
export function checkInstant(value: string): string {
  const isInstant = /^\d{4}-\d\d-\d\d(T([01]\d|2[0-3]):\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/.test(value);
  const at = isInstant && isDayOfCalendar(value.slice(0, 10)) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(at))
    throw new WrongUsage(`"${value}" is not an instant such as 2027-01-31 or 2027-01-31T08:00:00Z.`);
  return new Date(at).toISOString();
}

/** When a key ends. @returns ISO 8601 */
export function checkExpiry(value: string, now = Date.now()): string {
  const instant = checkInstant(value);
  if (Date.parse(instant) <= now) throw new WrongUsage(`The expiry ${value} is in the past.`);
  return instant;
}

/** A period of a search. */
export function checkPeriod(options: { readonly from?: string; readonly until?: string }) {
  const { from, until } = options;
  return {
    from: from === undefined ? null : checkInstant(from),
    until: until === undefined ? null : checkInstant(until),
  };
}

/** One of a few words. */
export function checkWord<Word extends string>(value: string, words: readonly Word[], option: string): Word {
  const found = words.find((word) => word === value);
  if (found !== undefined) return found;
  throw new WrongUsage(`${option} takes ${words.join(', ')}, not "${value}".`);
}

/** Whether a month has the day: `Date` reads February 30 as March 2. */
function isDayOfCalendar(day: string): boolean {
  const at = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
}

/** One of the four roles, by its identifier or its English alias. */
export function checkRole(value: string): Role {
  const role = roleNamed(value);
  if (role !== null) return role;
  const names = ROLE_NAMES.map((name) => `${name} (${ROLE_ALIASES[name]})`);
  throw new WrongUsage(`There is no role "${value}". The roles are: ${names.join(', ')}.`);
}

/** The project of a grant: required where the role has a project scope, forbidden where not (roles-13). */
export function checkProject(role: Role, project: string | undefined): string | null {
  if (projectFault({ role, project: project ?? null }) !== null) {
    throw new WrongUsage(
      project === undefined
        ? `The role ${role} is granted for one project: add --project NAME.`
        : `The role ${role} has no project scope: leave --project out.`,
    );
  }
  return project === undefined ? null : checkName(project, 'project');
}

/** A slug of an organization, as the console takes it. */
export function checkOrganizationSlug(value: string): string {
  if (isOrganizationSlug(value)) return value;
  throw new WrongUsage(
    `"${value}" is not a slug: 1 to 64 of A-Z, a-z, 0-9, ".", "_", "-", the first a letter or a digit.`,
  );
}

/** A readable name of an organization, as the console takes it. */
export function checkOrganizationName(value: string): string {
  if (isOrganizationName(value)) return withoutSecret(value, 'name');
  throw new WrongUsage('The name must be one line of 1 to 200 characters, not blank.');
}
