import { type Charset, charset } from '../../text/charset.ts';
import { UNKNOWN } from '../assigned.ts';
import { crossEntropy } from '../cross-entropy.ts';
import { isOtherThing, NONE, type Strength, strengthOf, wordsOf } from '../name.ts';
import { isPlaceholder } from '../placeholder.ts';
import { FOUND, MORE, NO, type Tail, type Verdict, type View } from '../view.ts';
import { readAssignment, WORD_OR_HYPHEN } from './assignment.ts';
import { NAME_LENGTH, nameStart } from './operator.ts';
import { beforeMarks, cannotBeSecret, isSecretValue, isTag, isUuid } from './value.ts';

export interface ValueForm {
  readonly uuid: boolean;
  readonly set: Charset;
  readonly min: number;
  readonly max: number;
  readonly hex: boolean;
}

/** What providers identify in the form of their keys. */
const PROVIDERS_THING =
  /^(?:sha|commit|org|organization|project|app|application|environment|service|workspace|tenant|release|run|tree|blob|head|branch|tag|item|group|team)$/;
const SMALL = charset('a-z');
const FULL_STOP = 0x2e;

/** `uuid`, or one class with its count: `[a-f0-9]{32}`. */
export function compileValue(source: string): ValueForm {
  const parts = /^\[([^\]]+)\]\{(\d+)(?:,(\d+))?\}$/.exec(source);
  if (source !== 'uuid' && parts === null) throw new Error(`not the form of a value: "${source}"`);
  const set = charset(parts?.[1] ?? 'A-Fa-f0-9-');
  const min = Number(parts?.[2] ?? 36);
  return { uuid: source === 'uuid', set, min, max: Number(parts?.[3] ?? min), hex: set[0x67] === 0 };
}

/** A value assigned to a name with the provider's word, in one of the provider's key forms. */
export function checkNamed(forms: readonly ValueForm[], view: View, from: number, to: number): Verdict {
  const end = partsEnd(view, to);
  if (view.at(end) === FULL_STOP && view.waits(end + 1)) return view.more(end);
  const hasParts = end !== view.runEnd(WORD_OR_HYPHEN, to, NAME_LENGTH);
  const verdict = readAssignment(view, from, hasParts ? end : to);
  const { assigned } = view;
  if (verdict === MORE && assigned.partial) return canMatch(forms, view, assigned.from, assigned.to) ? MORE : NO;
  if (verdict !== FOUND) return verdict;
  const { from: valueFrom, nameTo, open } = assigned;
  if (open) return NO;
  let valueTo = assigned.to;
  let form = formOf(forms, view, valueFrom, valueTo);
  if (form === undefined) {
    valueTo = beforeMarks(view, valueFrom, valueTo);
    form = formOf(forms, view, valueFrom, valueTo);
  }
  if (form === undefined || isTag(view, false) || isPlaceholder(view, valueFrom, valueTo)) return NO;
  const name = view.text(nameStart(view, assigned), nameTo);
  const last = wordsOf(name).at(-1) ?? '';
  const said = view.text(from, to).toLowerCase().endsWith(last);
  const longer = SMALL[view.at(to)] === 1 && SMALL[view.at(to - 1)] === 1; // `consultation`
  const doubtful = hasParts || (!said && (longer || isOtherThing(last) || PROVIDERS_THING.test(last)));
  if (doubtful && strengthOf(name) === NONE) return NO;
  if (!form.uuid && !form.hex && crossEntropy(view.bytes, valueFrom, valueTo) < 4.8) return NO;
  return view.found(valueFrom, valueTo);
}

/** End of the name around a keyword, with the parts that full stops set apart: `snyk.token`. */
function partsEnd(view: View, from: number): number {
  const most = from + NAME_LENGTH;
  let end = view.runEnd(WORD_OR_HYPHEN, from, NAME_LENGTH);
  while (end < most && view.at(end) === FULL_STOP && SMALL[view.at(end + 1)] === 1)
    end = view.runEnd(WORD_OR_HYPHEN, end + 1, most - end - 1);
  return end;
}

function formOf(forms: readonly ValueForm[], view: View, from: number, to: number): ValueForm | undefined {
  return forms.find((form) => matches(form, view, from, to));
}

function matches(form: ValueForm, view: View, from: number, to: number): boolean {
  const length = to - from;
  if (length < form.min || length > form.max) return false;
  if (form.uuid) return isUuid(view.text(from, to));
  return view.runEnd(form.set, from, length) === to;
}

/** Whether a value that begins so can still take one of the forms, or has one before the marks of its sentence. */
function canMatch(forms: readonly ValueForm[], view: View, from: number, to: number): boolean {
  if (forms.some(({ set, max }) => to - from <= max && view.runEnd(set, from, to - from) === to)) return true;
  return formOf(forms, view, from, beforeMarks(view, from, to)) !== undefined;
}

const TAIL: Tail = { type: 'run', set: charset('A-Za-z0-9+/=_.~%!@#$^&*:-'), joiners: null };

const UUID_LENGTH = 36;

const LETTERS = charset('A-Za-z');
const LONGEST_WORD = 16;
const BLANK = 0x20;

/** The name; for a key in a sentence also the previous word, which names its purpose: `the API key is …`. */
function nameOf(view: View): string {
  const from = nameStart(view, view.assigned);
  const name = view.text(from, view.assigned.nameTo);
  if (!/^keys?$/i.test(name) || view.at(from - 1) !== BLANK) return name;
  return view.text(view.runStart(LETTERS, from - 1, LONGEST_WORD), view.assigned.nameTo);
}

/** `Authorization: <UUID>`: the one name under which an identifier is certainly a credential. */
function isAuthorization(view: View, valueTo: number): boolean {
  return /authorization$/i.test(nameOf(view)) && isUuid(view.text(view.assigned.from, valueTo));
}

function strength(view: View): Strength {
  const { assigned } = view;
  if (assigned.strength === UNKNOWN) assigned.strength = assigned.strengthOf(nameOf(view));
  return assigned.strength;
}

/** A value that looks generated, with a name that indicates a secret (issue: never on bare entropy without a name). */
export function checkAssignment(view: View, from: number, to: number): Verdict {
  const verdict = readAssignment(view, from, to);
  const { assigned } = view;
  if (verdict === NO || assigned.dismissed) return NO;
  if (verdict === MORE) {
    const nameIsRead = from >= assigned.wordFrom && to <= assigned.nameTo;
    if (nameIsRead && strength(view) === NONE) return NO;
    return assigned.partial && cannotBeSecret(view, strength) ? NO : MORE;
  }
  const valueTo = beforeMarks(view, assigned.from, assigned.to);
  if (valueTo - assigned.from === UUID_LENGTH && isAuthorization(view, valueTo))
    return view.found(assigned.from, valueTo);
  if (!isSecretValue(view, strength)) {
    assigned.dismissed = true;
    return NO;
  }
  return view.found(assigned.from, assigned.to, assigned.open ? TAIL : null);
}
