import type { Detection } from '@gateway/contract';
import { askBatcher, createBatcher } from '../client/batcher.ts';
import type { DatabaseAddress } from '../client/connect.ts';
import { createLink } from '../client/link.ts';
import { DatabaseUnavailable, isDataFault, unavailable } from '../client/unavailable.ts';
import { detectionParameter, insertDetections } from './detection-statement.ts';

export interface DetectionLogOptions {
  readonly address: DatabaseAddress;
  /** Milliseconds for one insert. */
  readonly budgetMs: number;
}

/** Where detections go that are made after the decision of their call: those of its answer. */
export interface DetectionLog {
  /** Resolves once they are committed and flushed. Idempotent by their ids. @throws DatabaseUnavailable otherwise. */
  insert(detections: readonly Detection[]): Promise<void>;
  close(): void;
}

/** Groups of one round trip. */
const LIMIT = 64;
const LOCK_TIMEOUT_MS = 2000;
const INSERT = insertDetections(1);

/** Groups that arrive during a write share the next round trip. Faults: as in the usage log, but every commit is flushed. */
export function createDetectionLog({ address, budgetMs }: DetectionLogOptions): DetectionLog {
  const link = createLink({
    address,
    applicationName: 'gateway detections',
    budgetMs,
    settings: { lock_timeout: LOCK_TIMEOUT_MS },
  });
  let closed = false;
  const insert = (detections: readonly Detection[], deadline: number): Promise<unknown> =>
    link.run(deadline, (sql) => sql.unsafe(INSERT, [detectionParameter(detections)], { prepare: true }));

  /** Why each group is not written; null where it is. @throws DatabaseUnavailable where no write is confirmed */
  async function insertAll(groups: readonly (readonly Detection[])[], deadline: number): Promise<(Error | null)[]> {
    try {
      await insert(groups.flat(), deadline);
      return groups.map(() => null);
    } catch (error) {
      if (!isDataFault(error)) throw unavailable(error);
    }
    // A group with faulty content is refused, so that the others do not wait forever.
    const answers: (Error | null)[] = [];
    for (const group of groups) {
      const fault = await insert(group, deadline).then(
        () => null,
        (error: unknown) => unavailable(error),
      );
      answers.push(fault);
    }
    return answers;
  }

  const batcher = createBatcher<readonly Detection[], null>({
    limit: LIMIT,
    answer(groups, deadline, answered) {
      insertAll(groups, deadline).then(
        (answers) => answered(null, answers),
        (error: Error) => answered(error, []),
      );
    },
  });

  return {
    async insert(detections) {
      if (closed) throw new DatabaseUnavailable('the detection log is closed');
      await askBatcher(batcher, detections, performance.now() + budgetMs);
    },
    close() {
      closed = true;
      link.cut();
    },
  };
}
