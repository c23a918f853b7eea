import * as z from 'zod';
import type { SessionState } from '../agent/types.ts';

const content = z.union([
  z.string(),
  z.array(
    z.union([
      z.object({ type: z.literal('text'), text: z.string() }),
      z.object({ type: z.literal('image'), url: z.string() }),
    ]),
  ),
]);
const message = z.union([
  z.object({ role: z.literal('system'), content: z.string() }),
  z.object({ role: z.literal('user'), content }),
  z.object({
    role: z.literal('assistant'),
    content: z.string(),
    toolCalls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })).exactOptional(),
  }),
  z.object({ role: z.literal('tool'), callId: z.string(), content: z.string() }),
]);
const count = z.number().min(0);

/** A saved session. Files of later versions are not read as if they were of this one. */
const stateShape: z.ZodType<SessionState> = z.object({
  version: z.literal(1),
  id: z.uuid(),
  parent: z.string().nullable(),
  title: z.string(),
  directory: z.string(),
  project: z.string(),
  model: z.string(),
  startedAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  turns: count,
  messages: z.array(message),
  usage: z.object({ inputTokens: count, outputTokens: count, calls: count }),
  contextTokens: count,
  // Sessions of earlier versions have none.
  cost: count.nullable().default(null),
  checklist: z.array(z.object({ text: z.string(), state: z.enum(['open', 'doing', 'done']) })),
});

/** The session that a file holds; null where it holds none. */
export function readState(text: string): SessionState | null {
  try {
    return stateShape.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
