import { DatabaseUnavailable } from '@gateway/database';

/**
 * The value of a promise, or DatabaseUnavailable once the time is over: a database that is frozen never answers by itself. What
 * was begun may still come to its end there.
 */
export async function within<Value>(milliseconds: number, work: Promise<Value>): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new DatabaseUnavailable(`no answer within ${milliseconds} ms`)),
    milliseconds,
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
