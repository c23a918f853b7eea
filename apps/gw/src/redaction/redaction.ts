import { maskText } from '@gateway/secrets';
import { maskLine } from './mask-line.ts';

/** Shorter names occur in paths for other reasons. */
const SHORTEST_NAME = 3;

/** The parts of a machine's data that identify its owner. */
interface PersonalNames {
  /** The user's home directory, in each form in which paths name it. */
  readonly homeDirectories: readonly string[];
  readonly userName: string | null;
}

/**
 * A text in which `~` replaces the home directory, and `<user>` the user's name as a path segment: a report is understood
 * without either.
 */
function withoutPersonalNames(text: string, { homeDirectories, userName }: PersonalNames): string {
  let shown = text;
  for (const directory of homeDirectories) {
    const path = escapePattern(directory.replace(/[\\/]+$/, ''));
    if (path !== '') shown = shown.replaceAll(new RegExp(`(?<![\\w.~-])${path}(?![\\w.-])`, 'gi'), '~');
  }
  if (userName !== null && userName.length >= SHORTEST_NAME) {
    shown = shown.replaceAll(
      new RegExp(`(?<=[\\\\/])${escapePattern(userName)}(?=$|[\\\\/\\s"'’,;:)])`, 'gi'),
      '<user>',
    );
  }
  return shown;
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** Replaces a text that detection alone could not have found. */
export const WITHHELD = '[withheld]';
/** Replaces a name that looks generated. */
const GENERATED = 'a name that is not shown';
/** A shorter value occurs in too many texts by chance; none is ever shown on purpose. */
const SHORTEST = 6;
/** Characters of a text that is shown. */
const LONGEST = 400;

/** Takes what must not be handed on out of every text that a report or the terminal shows. */
export interface Redaction {
  /** Redacts this value everywhere from now on; the position where it was found shows that it is a secret. */
  readonly withhold: (value: string) => void;
  /** A text from outside as it may be shown: one line, at most 400 characters. */
  readonly text: (text: string) => string;
  /**
   * A name that people choose: of a member, a variable, a model, a branch. It may be a secret by mistake, which no context
   * announces, so a name that looks generated is not shown.
   */
  readonly name: (text: string) => string;
  /** Names in a list that blanks and commas divide, each as `name` shows it: masked before they are divided, and after. */
  readonly names: (text: string) => readonly string[];
  /** A sentence of ours with external texts, each redacted separately: their context hides nothing. */
  readonly format: (words: TemplateStringsArray, ...pieces: readonly (string | number)[]) => string;
}

/** @param names what is left out in addition to secrets. */
export function createRedaction(names: PersonalNames): Redaction {
  const known = new Set<string>();
  let longestFirst: readonly string[] = [];
  const whole = (raw: string): string => {
    let shown = raw.toWellFormed();
    for (const value of longestFirst) shown = shown.replaceAll(value, WITHHELD);
    return withoutPersonalNames(maskLine(shown), names);
  };
  const text = (raw: string): string => {
    const shown = whole(raw);
    return shown.length > LONGEST ? `${shown.slice(0, LONGEST).toWellFormed()}…` : shown;
  };
  const name = (raw: string): string => {
    const question = `secret = ${JSON.stringify(raw)}`;
    return maskText(question) === question ? text(raw) : GENERATED;
  };
  return {
    withhold(value) {
      for (const form of formsOf(value)) if (form.length >= SHORTEST) known.add(form);
      longestFirst = [...known].sort((one, other) => other.length - one.length);
    },
    text,
    name,
    names: (raw) =>
      whole(raw)
        .split(/[\s,]+/)
        .filter((each) => each !== '')
        .map(name),
    format: (words, ...pieces) =>
      words.reduce((sentence, word, at) => {
        const piece = pieces[at - 1] ?? '';
        return sentence + (typeof piece === 'number' ? String(piece) : text(piece)) + word;
      }),
  };
}

/** A value, its percent-decoded form, and its lines. */
function formsOf(value: string): readonly string[] {
  const trimmed = value.trim();
  const forms = [trimmed, ...trimmed.split(/\s*\n\s*/)];
  try {
    return [...forms, decodeURIComponent(trimmed), encodeURIComponent(trimmed)];
  } catch {
    return forms; // a percent sign that begins no escape, or half of a surrogate pair
  }
}

/** Parts of the name of a variable that say that its value is nobody's business. */
const TELLING = /KEY|TOKEN|SECRET|PASS|PWD|CREDENTIAL|AUTH|COOKIE|PRIVATE|DSN|LICENSE|SIGNATURE|WEBHOOK/i;
/** The shell's own variables whose names contain one of these parts. */
const DIRECTORIES = new Set(['PWD', 'OLDPWD']);

/** Whether the name of a variable says that its value is nobody's business. */
export function isTellingName(name: string): boolean {
  return TELLING.test(name) && !DIRECTORIES.has(name);
}

/** Values that are secrets by the name of their variable, or as the user info of an address. */
export function* collectSecrets(variables: ReadonlyMap<string, string>): Iterable<string> {
  for (const [name, value] of variables) {
    if (isTellingName(name)) yield value;
    yield* credentialsIn(value);
  }
}

/** User name and password of an address, as written. The user name is often the token itself. */
export function credentialsIn(address: string): readonly string[] {
  const userInfo =
    /^\s*(?:[a-z][a-z0-9+.-]*:)?\/\/([^/?#]*)@/i.exec(address)?.[1] ?? /^([^/?#\s]*:[^/?#\s]*)@/.exec(address)?.[1];
  if (userInfo === undefined) return [];
  const colon = userInfo.indexOf(':');
  return colon < 0 ? [userInfo] : [userInfo.slice(0, colon), userInfo.slice(colon + 1)];
}
