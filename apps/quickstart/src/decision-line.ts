import { namedPermission, namedRole } from '@gateway/contract/labels';
import type { RecordedDecision } from './relayed-call.ts';

/** Characters of a digest that are enough to find the entry again. */
const DIGEST_SHOWN = 12;

/** An entry of the decision log as one line for a person. */
export function decisionLine(entry: RecordedDecision): string {
  const { sequence, at, subject, permission, resource, outcome, reason, roles, digest } = entry;
  const who = [subject ?? 'nobody known', ...roles.map(namedRole)].join(', ');
  const why = outcome === 'granted' ? '' : `, because ${reason}`;
  const when = new Date(at).toISOString();
  const mark = digest.slice(0, DIGEST_SHOWN);
  return `#${sequence} ${outcome} to ${who}: ${namedPermission(permission)} on ${resource}${why}, at ${when}, digest ${mark}…`;
}
