import { charset } from '../text/charset.ts';
import { createAssignment, readAssignment } from './assignment.ts';
import { type Strength, strengthOf } from './name.ts';
import { isSecretValue } from './value.ts';
import { FOUND, NO, type Tail, type Verdict, type View } from './view.ts';

const assignment = createAssignment();
const TAIL: Tail = { type: 'run', set: charset('A-Za-z0-9+/=_.~%!@#$^&*:-'), joiners: null };

/** A value that looks generated, assigned to a name that says it is a secret (issue: never on bare entropy without a name). */
export function checkAssignment(view: View, from: number, to: number): Verdict {
  const verdict = readAssignment(view, from, to, assignment);
  if (verdict !== FOUND) return verdict;
  const strength = (): Strength => strengthOf(view.text(assignment.nameFrom, assignment.nameTo));
  if (!isSecretValue(view, assignment, strength)) return NO;
  return view.found(assignment.from, assignment.to, assignment.open ? TAIL : null);
}
