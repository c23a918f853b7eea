import { DatabaseUnavailable } from '@gateway/database';

/**
 * The value of a promise, or a fault once the time is over: DatabaseUnavailable where nothing else is waited for, since a database that
 * is frozen never answers by itself. What was begun may still come to its end there.
 */
export async function within<Value>(
  milliseconds: number,
  work: Promise<Value>,
  fault: Error = new DatabaseUnavailable(`no answer within ${milliseconds} ms`),
): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(fault), milliseconds);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
