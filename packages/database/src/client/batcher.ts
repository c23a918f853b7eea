import { gather } from './batch-window.ts';
import { DatabaseUnavailable } from './unavailable.ts';

export interface LaneOptions<Question, Answer> {
  /** Most questions in one round trip. */
  readonly limit: number;
  /**
   * Answers a batch in its order; an Error in the place of an answer refuses that question alone.
   * `deadline` is the nearest of the batch, on the clock of `performance.now()`.
   */
  readonly answer: (questions: readonly Question[], deadline: number) => Promise<readonly (Answer | Error)[]>;
  /** Sees how many share each round trip. */
  readonly onBatch?: (size: number) => void;
}

/** One lane: while a batch is under way, the next one collects. When one leaves is for `gather` to say. */
export interface Lane<Question, Answer> {
  ask(question: Question, deadline: number): Promise<Answer>;
}

interface Waiting<Question, Answer> {
  readonly question: Question;
  readonly deadline: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Shares round trips between concurrent requests without any answer outliving the requests it was read for: a batch is
 * read after its last question arrived (roles-15).
 */
export function createLane<Question, Answer>(options: LaneOptions<Question, Answer>): Lane<Question, Answer> {
  let waiting: Waiting<Question, Answer>[] = [];
  let underWay = false;

  function nextBatch(): Waiting<Question, Answer>[] {
    const now = performance.now();
    const batch: Waiting<Question, Answer>[] = [];
    let taken = 0;
    while (taken < waiting.length && batch.length < options.limit) {
      const one = waiting[taken] as Waiting<Question, Answer>;
      taken += 1;
      if (one.deadline > now) batch.push(one);
      else one.reject(new DatabaseUnavailable('the database was not asked within the budget'));
    }
    waiting = waiting.slice(taken);
    return batch;
  }

  async function ask(batch: readonly Waiting<Question, Answer>[]): Promise<void> {
    const deadline = batch.reduce((nearest, one) => Math.min(nearest, one.deadline), Number.POSITIVE_INFINITY);
    try {
      const questions = batch.map(({ question }) => question);
      const answers = await options.answer(questions, deadline);
      for (let index = 0; index < batch.length; index += 1) {
        const answer = answers[index] as Answer | Error;
        if (answer instanceof Error) batch[index]?.reject(answer);
        else batch[index]?.resolve(answer);
      }
    } catch (error) {
      for (const one of batch) one.reject(error);
    }
  }

  function work(): void {
    gather(
      () => waiting.length,
      () => {
        const batch = nextBatch();
        if (batch.length === 0) {
          underWay = false;
          return;
        }
        options.onBatch?.(batch.length);
        ask(batch).then(work, work);
      },
    );
  }

  return {
    ask: (question, deadline) =>
      new Promise((resolve, reject) => {
        waiting.push({ question, deadline, resolve, reject });
        if (underWay) return;
        underWay = true;
        work();
      }),
  };
}
