import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { HistoryStore } from '../device/ports.ts';

/** The file is compacted when it contains twice the limit of messages. */
const KEPT = 500;
const LONGEST = 20_000;

/**
 * Messages of earlier sessions, one JSON text a line, readable only by their owner. Possible secrets are masked. Nothing here
 * fails: a history that cannot be written lasts until the end of the program.
 */
export function createHistoryStore(path: string | null): HistoryStore {
  return {
    async load() {
      if (path === null) return [];
      const messages = parsed(await readFile(path, 'utf8').catch(() => ''));
      if (messages.length >= 2 * KEPT)
        await writeFile(path, serialized(messages.slice(-KEPT)), { mode: 0o600 }).catch(() => undefined);
      return messages.slice(-KEPT);
    },
    async append(message) {
      if (path === null || message.length > LONGEST) return;
      try {
        const { maskedText } = await import('@gateway/secrets'); // large: not before the first paint
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await appendFile(path, serialized([maskedText(message)]), { mode: 0o600 });
      } catch {
        // The history is a convenience: a session continues without it.
      }
    },
  };
}

function parsed(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return typeof value === 'string' ? [value] : [];
    } catch {
      return []; // the last line of a write that was cut off
    }
  });
}

function serialized(messages: readonly string[]): string {
  return messages.map((message) => `${JSON.stringify(message)}\n`).join('');
}
