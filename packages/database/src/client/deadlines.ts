/** Deadlines of what runs at the same time, by one timer. */
export interface Deadlines {
  /**
   * What `running` comes to, or a rejection once its deadline has passed; what it comes to later is ignored.
   * @param deadline on the clock of `performance.now()`. @param late makes what it is rejected with.
   */
  within<Result>(deadline: number, running: Promise<Result>, late: () => Error): Promise<Result>;
}

interface Waiting {
  readonly deadline: number;
  readonly expire: () => void;
}

/**
 * A statement's deadline lies nearly always after the one before it, so the timer is left armed and looks again when it
 * fires: armed for each, every one of another length, it took a fiftieth of the processor time of a relayed call.
 */
export function createDeadlines(): Deadlines {
  const waiting = new Set<Waiting>();
  let timer: NodeJS.Timeout | undefined;
  let armedFor = Number.POSITIVE_INFINITY;

  function arm(deadline: number): void {
    if (deadline >= armedFor) return;
    clearTimeout(timer);
    armedFor = deadline;
    // Anybody who waits holds the process by the connection it waits for.
    timer = setTimeout(look, Math.max(0, deadline - performance.now())).unref();
  }

  function look(): void {
    armedFor = Number.POSITIVE_INFINITY;
    timer = undefined;
    const now = performance.now();
    for (const one of waiting) {
      if (one.deadline > now) arm(one.deadline);
      else {
        waiting.delete(one);
        one.expire();
      }
    }
  }

  return {
    within: (deadline, running, late) =>
      new Promise((resolve, reject) => {
        const one: Waiting = { deadline, expire: () => reject(late()) };
        waiting.add(one);
        arm(deadline);
        running.finally(() => waiting.delete(one)).then(resolve, reject);
      }),
  };
}
