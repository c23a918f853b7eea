import { expect } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import type { World } from '../../../testing/world.ts';

/** The one row of a subject. */
export async function rowOf(world: World, subject: string): Promise<Record<string, unknown>> {
  await eventually(async () => expect(await world.usage(subject)).toHaveLength(1));
  return (await world.usage(subject))[0]!;
}
