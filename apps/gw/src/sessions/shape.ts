import type { Json, SessionState } from '../agent/types.ts';
import * as s from '../schema/index.ts';

const content = s.union([
  s.string(),
  s.array(
    s.union([
      s.object({ type: s.literal('text'), text: s.string() }),
      s.object({ type: s.literal('image'), url: s.string() }),
    ]),
  ),
]);
/** Read from JSON, so that it is JSON. */
const members = s.record(s.unknown() as s.Schema<Json>);
const message = s.union([
  s.object({ role: s.literal('system'), content: s.string() }),
  s.object({
    role: s.literal('user'),
    content,
    summary: s.boolean().optional(),
    steering: s.boolean().optional(),
  }),
  s.object({
    role: s.literal('assistant'),
    content: s.string(),
    toolCalls: s
      .array(
        s.object({
          id: s.string(),
          name: s.string(),
          arguments: s.string(),
          members: members.optional(),
          functionMembers: members.optional(),
        }),
      )
      .optional(),
    members: members.optional(),
    entry: s.string().optional(),
  }),
  s.object({
    role: s.literal('tool'),
    callId: s.string(),
    content: s.string(),
    images: s.array(s.string()).optional(),
    outcome: s.oneOf(['succeeded', 'failed', 'denied']).optional(),
  }),
]);
const isUuid = (text: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
const count = s.number({ min: 0 });

/** A saved session of this version. */
const stateShape: s.Schema<SessionState> = s.object({
  version: s.literal(1),
  id: s.string().refine(isUuid),
  parent: s.string().nullable(),
  title: s.string(),
  directory: s.string(),
  project: s.string(),
  model: s.string(),
  startedAt: s.instant(),
  updatedAt: s.instant(),
  turns: count,
  messages: s.array(message),
  usage: s.object({ inputTokens: count, outputTokens: count, calls: count }),
  contextTokens: count,
  // Sessions of earlier versions have none.
  cost: count.orNull(),
  checklist: s.array(s.object({ text: s.string(), state: s.oneOf(['open', 'doing', 'done']) })),
});

const laterShape = s.object({ version: s.number({ min: 2 }), id: s.string().refine(isUuid) });

/** The session of a file; `later` if a later version of the client saved it, null if it contains none. */
export function readState(text: string): SessionState | 'later' | null {
  try {
    const value: unknown = JSON.parse(text);
    return laterShape.valueOf(value) === null ? stateShape.valueOf(value) : 'later';
  } catch {
    return null;
  }
}
