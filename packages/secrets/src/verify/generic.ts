import { charset } from '../text/charset.ts';
import { createAssignment, readAssignment } from './assignment.ts';
import { type Strength, strengthOf } from './name.ts';
import { isSecretValue, isUuid } from './value.ts';
import { FOUND, NO, type Tail, type Verdict, type View } from './view.ts';

const assignment = createAssignment();
const TAIL: Tail = { type: 'run', set: charset('A-Za-z0-9+/=_.~%!@#$^&*:-'), joiners: null };

const UUID_LENGTH = 36;

/** `Authorization: <UUID>`: the one name under which an identifier is certainly a credential. */
function isAuthorization(view: View): boolean {
  return (
    /authorization$/i.test(view.text(assignment.nameFrom, assignment.nameTo)) &&
    isUuid(view.text(assignment.from, assignment.to))
  );
}

/** A value that looks generated, assigned to a name that says it is a secret (issue: never on bare entropy without a name). */
export function checkAssignment(view: View, from: number, to: number): Verdict {
  const verdict = readAssignment(view, from, to, assignment);
  if (verdict !== FOUND) return verdict;
  if (assignment.to - assignment.from === UUID_LENGTH && isAuthorization(view)) {
    return view.found(assignment.from, assignment.to);
  }
  const strength = (): Strength => strengthOf(view.text(assignment.nameFrom, assignment.nameTo));
  if (!isSecretValue(view, assignment, strength)) return NO;
  return view.found(assignment.from, assignment.to, assignment.open ? TAIL : null);
}
