import type { AgentSession } from '../agent/types.ts';

/** A call that waits for somebody's approval. */
export interface PendingPermission {
  readonly requestId: string;
  readonly tool: string;
  readonly target: string;
  readonly arguments: string;
  readonly preview: unknown;
  readonly reason: string;
}

/** The messages of one served session: worked on in order, one at a time. */
export interface Conversation {
  readonly isProcessing: boolean;
  /** Messages that wait, without the one that is worked on. */
  readonly queueLength: number;
  readonly pending: PendingPermission | null;
  /** Queues a message, or answers the question that waits. @returns how many messages are before it. */
  send(message: string): number;
  /** Ends the running turn. Messages that wait stay; the next one that comes starts them again. */
  pause(): void;
  approve(requestId: string, approved: boolean): boolean;
  end(): void;
  /** Resolves after `idleMs` without a message and without work, or once `end` was called. */
  readonly ended: Promise<void>;
}

export function createConversation(session: AgentSession, idleMs: number): Conversation {
  const queue: string[] = [];
  const pending = new Map<string, PendingPermission>();
  let question: string | null = null;
  let processing = false;
  let paused = false;
  let timer: NodeJS.Timeout | undefined;
  let over = false;
  const { promise: ended, resolve } = Promise.withResolvers<void>();

  session.subscribe((event) => {
    if (event.type === 'permission-requested') {
      const { id: requestId, tool, target, preview, reason } = event;
      pending.set(requestId, { requestId, tool, target: target.value, arguments: event.arguments, preview, reason });
    } else if (event.type === 'permission-decided') pending.delete(event.id);
    else if (event.type === 'question') question = event.id;
    else if (event.type === 'turn-ended') {
      pending.clear();
      question = null;
    }
  });

  function end(): void {
    over = true;
    clearTimeout(timer);
    session.interrupt();
    resolve();
  }

  function rest(): void {
    clearTimeout(timer);
    if (!over) timer = setTimeout(end, idleMs);
  }

  const next = (): string | undefined => (paused || over ? undefined : queue.shift());

  async function work(): Promise<void> {
    for (let message = next(); message !== undefined; message = next()) {
      await session.submit(message).catch(() => undefined); // what went wrong is in the events of the turn
    }
    processing = false;
    rest();
  }

  rest();
  return {
    get isProcessing() {
      return processing;
    },
    get queueLength() {
      return queue.length;
    },
    get pending() {
      return pending.values().next().value ?? null;
    },
    send(message) {
      if (question !== null && session.answer(question, message)) {
        question = null;
        return 0;
      }
      const before = queue.length + (processing ? 1 : 0);
      queue.push(message);
      paused = false;
      if (!processing) {
        processing = true;
        clearTimeout(timer);
        work().catch(end);
      }
      return before;
    },
    pause() {
      paused = true;
      session.interrupt();
    },
    approve(requestId, approved) {
      const known = session.decide(requestId, approved ? { decision: 'allow' } : { decision: 'deny' });
      if (known) pending.delete(requestId);
      return known;
    },
    end,
    ended,
  };
}
