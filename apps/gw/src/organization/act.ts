import { type AgentAct, firstCharacters, MAXIMUM_REASON, storable } from '@gateway/contract';
import { v7 } from 'uuid';
import type { ActDetails } from '../agent/types.ts';

const MAXIMUM_TARGET = 8192;
const MAXIMUM_TOOL = 200;
const MAXIMUM_SUBJECT = 400;

interface Given {
  readonly subject: string;
  readonly at: Date;
  /** Masks secrets in a text. */
  readonly mask: (text: string) => string;
}

/**
 * An act in the form that the gateway accepts: only members of the contract, no secret, nothing too long. An invalid act would
 * prevent the rest of its batch from being stored.
 */
export function wireAct(act: ActDetails, { subject, at, mask }: Given): AgentAct {
  const text = (value: string, most: number): string => firstCharacters(storable(mask(value)), most) || '-';
  return {
    id: v7(),
    session: act.session,
    ...(act.parentSession === undefined ? {} : { parentSession: act.parentSession }),
    subject: firstCharacters(storable(subject), MAXIMUM_SUBJECT) || '-',
    at: at.toISOString(),
    tool: text(act.tool, MAXIMUM_TOOL),
    target: { kind: act.target.kind, value: text(act.target.value, MAXIMUM_TARGET) },
    authorizedBy: act.authorizedBy,
    outcome: act.outcome,
    ...(act.reason === undefined ? {} : { reason: firstCharacters(storable(mask(act.reason)), MAXIMUM_REASON) }),
  };
}
