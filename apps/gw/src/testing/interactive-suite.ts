import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { type Interactive, openInteractive } from './interactive-world.ts';
import { openSessionWorld, type SessionWorld } from './session-world.ts';

type Rest = Parameters<typeof openInteractive> extends [unknown, ...infer Others] ? Others : never;

/** Whole sessions in an emulated window, against a scripted engine. */
export interface InteractiveSuite {
  /** The world of the test that runs. */
  readonly world: () => SessionWorld;
  /** Opens a session, which ends with the test. */
  readonly open: (...given: Rest) => Promise<Interactive>;
  readonly inProject: (name: string) => string;
  /** The user's messages in the latest request to the model. */
  readonly userMessages: () => readonly unknown[];
}

/** Gives each test of the file a world of its own. */
export function interactiveSuite(): InteractiveSuite {
  let world: SessionWorld;
  let session: Interactive | null = null;
  beforeEach(async () => {
    world = await openSessionWorld();
  });
  afterEach(async () => {
    await session?.stop();
    session = null;
    await world.end();
  });
  return {
    world: () => world,
    open: async (...given) => {
      session = await openInteractive(world, ...given);
      return session;
    },
    inProject: (name) => join(world.project, name),
    userMessages: () =>
      (world.engine.requests.at(-1)?.body.messages ?? [])
        .filter(({ role }) => role === 'user')
        .map(({ content }) => content),
  };
}
