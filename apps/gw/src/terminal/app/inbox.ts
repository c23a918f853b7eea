/** Handles events one after the other, each after what it needs is loaded. */
export interface Inbox<Event> {
  push(event: Event): void;
  /** Resolves once everything that was pushed is handled. */
  idle(): Promise<void>;
}

/** `prepare` gives null where nothing has to be loaded: then the event is handled at once. */
export function createInbox<Event>(
  prepare: (event: Event) => Promise<unknown> | null,
  handle: (event: Event) => void,
): Inbox<Event> {
  const waiting: Event[] = [];
  let running: Promise<void> | null = null;

  const run = async (): Promise<void> => {
    for (let event = waiting.shift(); event !== undefined; event = waiting.shift()) {
      await prepare(event);
      handle(event);
    }
    running = null;
  };
  return {
    push(event) {
      if (running !== null) {
        waiting.push(event);
        return;
      }
      const loading = prepare(event);
      if (loading === null) {
        handle(event);
        return;
      }
      waiting.push(event);
      running = run();
    },
    async idle() {
      await running;
    },
  };
}
