import { charset } from '../text/charset.ts';
import { UNKNOWN } from './assigned.ts';
import { readAssignment } from './assignment.ts';
import { NONE, type Strength } from './name.ts';
import { nameStart } from './operator.ts';
import { cannotBeSecret, isSecretValue, isUuid } from './value.ts';
import { MORE, NO, type Tail, type Verdict, type View } from './view.ts';

const TAIL: Tail = { type: 'run', set: charset('A-Za-z0-9+/=_.~%!@#$^&*:-'), joiners: null };

const UUID_LENGTH = 36;

function nameOf(view: View): string {
  return view.text(nameStart(view, view.assigned), view.assigned.nameTo);
}

/** `Authorization: <UUID>`: the one name under which an identifier is certainly a credential. */
function isAuthorization(view: View): boolean {
  return /authorization$/i.test(nameOf(view)) && isUuid(view.text(view.assigned.from, view.assigned.to));
}

function strength(view: View): Strength {
  const { assigned } = view;
  if (assigned.strength === UNKNOWN) assigned.strength = assigned.strengthOf(nameOf(view));
  return assigned.strength;
}

/** A value that looks generated, assigned to a name that says it is a secret (issue: never on bare entropy without a name). */
export function checkAssignment(view: View, from: number, to: number): Verdict {
  const verdict = readAssignment(view, from, to);
  const { assigned } = view;
  if (verdict === NO || assigned.dismissed) return NO;
  if (verdict === MORE) {
    const nameIsRead = from >= assigned.wordFrom && to <= assigned.nameTo;
    if (nameIsRead && strength(view) === NONE) return NO;
    return assigned.partial && cannotBeSecret(view, strength) ? NO : MORE;
  }
  if (assigned.to - assigned.from === UUID_LENGTH && isAuthorization(view)) {
    return view.found(assigned.from, assigned.to);
  }
  if (!isSecretValue(view, strength)) {
    assigned.dismissed = true;
    return NO;
  }
  return view.found(assigned.from, assigned.to, assigned.open ? TAIL : null);
}
