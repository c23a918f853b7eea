import { expect, it } from 'vitest';
import { createClock } from './workspace.ts';

const clock = createClock(() => new Date(0));

it('a pause ends by itself, or at once where the turn is interrupted', async () => {
  await clock.sleep(1);
  const controller = new AbortController();
  const long = clock.sleep(1_000_000, controller.signal);
  controller.abort(new Error('interrupted'));
  await expect(long).rejects.toBe(controller.signal.reason);
  await expect(clock.sleep(1_000_000, controller.signal)).rejects.toBe(controller.signal.reason);
});
