import { randomUUID } from 'node:crypto';

/** What waits for a person: approvals and questions, each under an identifier. */
export interface Requests<Answer> {
  /** @returns the identifier to show, and the answer; rejects with the signal's reason once it is aborted. */
  open(signal: AbortSignal): { readonly id: string; readonly answer: Promise<Answer> };
  /** False where nothing waits under this identifier. */
  settle(id: string, answer: Answer): boolean;
}

export function createRequests<Answer>(): Requests<Answer> {
  const waiting = new Map<string, (answer: Answer) => void>();
  return {
    open(signal) {
      const id = randomUUID();
      const answer = new Promise<Answer>((resolve, reject) => {
        signal.throwIfAborted();
        const abort = (): void => {
          waiting.delete(id);
          reject(signal.reason as Error);
        };
        signal.addEventListener('abort', abort, { once: true });
        waiting.set(id, (value) => {
          waiting.delete(id);
          signal.removeEventListener('abort', abort);
          resolve(value);
        });
      });
      return { id, answer };
    },
    settle(id, answer) {
      const resolve = waiting.get(id);
      resolve?.(answer);
      return resolve !== undefined;
    },
  };
}
