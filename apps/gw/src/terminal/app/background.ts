import { type App, say } from './app.ts';

/** Work in the background: its changes are drawn, its errors reported. */
export function inBackground(app: App, work: () => Promise<unknown>): void {
  work().then(
    () => app.screen.refresh(),
    (error: unknown) => say(app, `Failed: ${error instanceof Error ? error.message : String(error)}`, { color: 'red' }),
  );
}
