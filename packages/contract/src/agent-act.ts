import * as z from 'zod';
import { storableText } from './text.ts';

/** Maximum number of acts in a batch (limits-3). */
export const MAXIMUM_ACTS = 500;
/** The most characters of an act's reason (limits-3). */
export const MAXIMUM_REASON = 300;
/** The most characters of a session's name that has relatives: the names of child and parent share an index entry. */
export const MAXIMUM_SESSION = 300;

const EARLIEST = Date.UTC(1970, 0, 1);
const LATEST = Date.UTC(9999, 11, 31);

const session = storableText(1, MAXIMUM_SESSION);
/** In UTC and milliseconds from here on: the database takes fewer zones and shorter fractions than ISO 8601 has. */
const instant = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 instant', abort: true })
  .refine((text) => Date.parse(text) >= EARLIEST && Date.parse(text) <= LATEST, 'must lie between 1970 and 9999')
  .transform((text) => new Date(text).toISOString());

/** A value of a closed list. */
function oneOf<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, { error: `must be one of ${values.join(', ')}` });
}

/**
 * One tool call of an agent (workstation-6). These members are all: anything else (parameters, content, conversation) is refused,
 * so that it can never be stored.
 */
const agentActSchema = z.strictObject(
  {
    id: z.uuid('must be a UUID'),
    session,
    parentSession: session.exactOptional(),
    /** As the workstation declares it (workstation-6). */
    subject: storableText(1, 400),
    at: instant,
    tool: storableText(1, 200),
    /** Names a thing; it must not contain content. */
    target: z.strictObject(
      { kind: oneOf(['path', 'command', 'host']), value: storableText(1, 8192) },
      { error: objectFault },
    ),
    authorizedBy: oneOf(['policy', 'human', 'automatic']),
    outcome: oneOf(['succeeded', 'failed', 'refused', 'interrupted']),
    reason: storableText(0, MAXIMUM_REASON).exactOptional(),
  },
  { error: objectFault },
);

export type AgentAct = z.infer<typeof agentActSchema>;

/** The acts of a batch, or why the whole batch is refused: the words after `acts refused - `. */
export function parseActBatch(body: unknown): { readonly acts: readonly AgentAct[] } | { readonly refused: string } {
  if (typeof body !== 'object' || body === null || !('acts' in body) || !Array.isArray(body.acts)) {
    return { refused: 'the body is an object whose member acts is a list' };
  }
  const stranger = Object.keys(body).find((member) => member !== 'acts');
  if (stranger !== undefined) return { refused: `the body has one member, acts; ${quote(stranger)} is not one` };

  const acts: AgentAct[] = [];
  for (const [index, candidate] of body.acts.entries()) {
    // Faults are named in the order of the acts, so an early fault precedes the excess at the end.
    if (index === MAXIMUM_ACTS) return { refused: `act #${index + 1}: a batch holds at most ${MAXIMUM_ACTS} acts` };
    const parsed = agentActSchema.safeParse(candidate);
    if (!parsed.success) return { refused: `act #${index + 1}: ${reasonOf(parsed.error)}` };
    acts.push(parsed.data);
  }
  return { acts };
}

/** The first fault in words that never repeat a value. */
function reasonOf(error: z.ZodError): string {
  const [fault] = error.issues;
  if (fault === undefined) return 'must be an act';
  const path = fault.path.map(String).join('.');
  return path === '' ? fault.message : `${path} ${fault.message}`;
}

function objectFault(issue: { readonly code?: string; readonly keys?: readonly string[] }): string {
  const [stranger] = issue.keys ?? [];
  return stranger === undefined ? 'must be an object' : `must not hold the field ${quote(stranger)}`;
}

function quote(member: string): string {
  return JSON.stringify(member.slice(0, 60));
}
