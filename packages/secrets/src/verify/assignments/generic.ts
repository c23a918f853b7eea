import { charset } from '../../text/charset.ts';
import { UNKNOWN } from '../assigned.ts';
import { NONE, type Strength } from '../name.ts';
import { MORE, NO, type Tail, type Verdict, type View } from '../view.ts';
import { readAssignment } from './assignment.ts';
import { nameStart } from './operator.ts';
import { beforeMarks, cannotBeSecret, isSecretValue, isUuid } from './value.ts';

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
