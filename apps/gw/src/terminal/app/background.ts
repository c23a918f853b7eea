import { errorMessage } from '@gateway/contract/error-code';
import { type App, printText } from './app.ts';

/** Work in the background: its changes are drawn, its errors reported. */
export function inBackground(app: App, work: () => Promise<unknown>): void {
  work().then(
    () => app.screen.refresh(),
    (error: unknown) => printText(app, `Failed: ${errorMessage(error)}`, { color: 'red' }),
  );
}
