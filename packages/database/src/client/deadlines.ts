/** Deadlines of what runs at the same time, by one timer. */
export interface Deadlines {
  /**
   * The result of `running`, or a rejection once its deadline has passed; a later result is ignored.
   * @param deadline on the clock of `performance.now()`. @param late creates the reason for the rejection.
   */
  within<Result>(deadline: number, running: Promise<Result>, late: () => Error): Promise<Result>;
}

interface Waiting {
  readonly deadline: number;
  readonly expire: () => void;
}

/**
 * Deadlines nearly always increase, so the timer stays armed and checks again when it fires. Arming it for each statement took a
 * fiftieth of the processor time of a relayed call.
 */
export function createDeadlines(): Deadlines {
  const waiting = new Set<Waiting>();
  let timer: NodeJS.Timeout | undefined;
  let armedFor = Number.POSITIVE_INFINITY;

  function arm(deadline: number): void {
    if (deadline >= armedFor) return;
    clearTimeout(timer);
    armedFor = deadline;
    // The awaited connection keeps the process alive.
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
