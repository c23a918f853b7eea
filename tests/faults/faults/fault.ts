import type { World } from '../world.ts';

/** Something that goes wrong. The suite waits for recovery after each. */
export interface Fault {
  readonly name: string;
  /** Why it cannot be made here; null where it can. */
  readonly missing?: (world: World) => string | null;
  /** Makes it, and takes it away again. */
  readonly run: (world: World) => Promise<void>;
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
