import { DatabaseUnavailable } from '@gateway/database';

/**
 * The value of a promise, or a fault after the time limit: DatabaseUnavailable by default, since a frozen database never
 * answers. The work itself may still complete there.
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
