import type { AgentSession } from '../agent/types.ts';
import type { Conversation } from './conversation.ts';

export interface Answer {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Runs once the answer is on its way. */
  readonly after?: () => void;
}
export type Route = (body: string) => Answer | Promise<Answer>;

export function answer(status: number, body: object): Answer {
  return { status, body };
}

/** The routes of `gw serve` (client-20), by method and path. */
export function routes(of: {
  readonly conversation: Conversation;
  readonly session: AgentSession;
  readonly diff: () => Promise<string | null>;
}): ReadonlyMap<string, Route> {
  const { conversation, session, diff } = of;
  return new Map<string, Route>([
    [
      'GET /state',
      () => {
        const { state, mode } = session;
        const { id, title, directory, model, startedAt, updatedAt, turns, usage, contextTokens, checklist, messages } =
          state;
        return answer(200, {
          session: {
            id,
            title,
            directory,
            model,
            mode,
            startedAt,
            updatedAt,
            turns,
            usage,
            contextTokens,
            checklist,
            messages,
          },
          isProcessing: conversation.isProcessing,
          messageQueueLength: conversation.queueLength,
          pendingPermission: conversation.pending,
        });
      },
    ],
    [
      'POST /message',
      (body) => {
        const message = membersOf(body)?.['message'];
        if (typeof message !== 'string' || message.trim() === '')
          return answer(400, { error: 'The body must be {"message": "<text>"} with a text that is not blank.' });
        return answer(200, { queued: true, position: conversation.send(message) });
      },
    ],
    [
      'POST /permission',
      (body) => {
        const { requestId, approved } = membersOf(body) ?? {};
        if (typeof requestId !== 'string' || typeof approved !== 'boolean')
          return answer(400, { error: 'The body must be {"requestId": "<id>", "approved": true or false}.' });
        if (!conversation.approve(requestId, approved))
          return answer(404, { error: 'No permission with this requestId is waiting.' });
        return answer(200, { requestId, approved });
      },
    ],
    [
      'GET /diff',
      async () => {
        const text = await diff();
        return text === null
          ? answer(409, { error: 'This project is not a git repository, or git is missing.' })
          : answer(200, { diff: text });
      },
    ],
    [
      'POST /pause',
      () => {
        conversation.pause();
        return answer(200, { paused: true });
      },
    ],
    ['POST /exit', () => ({ status: 200, body: { exiting: true }, after: () => conversation.end() })],
  ]);
}

function membersOf(body: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
