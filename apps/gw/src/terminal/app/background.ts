import { type App, say } from './app.ts';

/** Work that nobody waits for: what it changed is drawn, what went wrong is said. */
export function inBackground(app: App, work: () => Promise<unknown>): void {
  work().then(
    () => app.screen.refresh(),
    (error: unknown) => say(app, `Failed: ${error instanceof Error ? error.message : String(error)}`, { color: 'red' }),
  );
}
