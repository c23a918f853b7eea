import { profile as onPremise } from '../../../profile/on-premise.ts';
import type { Profile } from '../../../profile/profile.ts';
import { type RawAnswer, type RawEngine, startRawEngine } from '../../../testing/raw-engine.ts';
import { startWorld, type World } from '../../../testing/world.ts';

export const OK = 'HTTP/1.1 200 OK\r\n';
export const JSON_OK = `${OK}content-type: application/json\r\n`;
export const SSE_OK = `${OK}content-type: text/event-stream\r\n`;

export const HOSTED_AND_RESTRICTED: readonly (readonly [name: string, profile: Profile | undefined])[] = [
  ['hosted', undefined],
  ['restricted', onPremise],
];

export interface RawProviders {
  readonly world: World;
  /** Puts a raw engine behind a new endpoint. */
  readonly behind: (answer: RawAnswer) => Promise<{ engine: RawEngine; path: string; key: string; subject: string }>;
  readonly stop: () => Promise<void>;
}

/** A world whose providers write exactly a test's bytes. */
export async function startRawProviders(profile: Profile | undefined): Promise<RawProviders> {
  const world = await startWorld(profile === undefined ? {} : { profile });
  const engines: RawEngine[] = [];
  let count = 0;
  return {
    world,
    async behind(answer) {
      const engine = await startRawEngine(answer);
      engines.push(engine);
      const name = `raw-${(count += 1)}`;
      await world.serve(name, { baseUrl: engine.url });
      return { engine, path: `/${name}/x`, subject: name, key: await world.account(name) };
    },
    async stop() {
      await Promise.all(engines.map((engine) => engine.stop()));
      await world.stop();
    },
  };
}
