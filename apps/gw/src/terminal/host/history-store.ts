import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceFile } from '../../files/replace.ts';
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
      const text = await readFile(path, 'utf8').catch(() => '');
      const messages = parse(text);
      if (messages.length >= 2 * KEPT) await replaceFile(path, serialize(messages.slice(-KEPT))).catch(() => undefined);
      // After a line that was cut off, the next message begins a line of its own.
      else if (text !== '' && !text.endsWith('\n')) await appendFile(path, '\n').catch(() => undefined);
      return messages.slice(-KEPT);
    },
    async append(message) {
      if (path === null || message.length > LONGEST) return;
      try {
        const { maskText } = await import('@gateway/secrets'); // large: not before the first paint
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await appendFile(path, serialize([maskText(message)]), { mode: 0o600 });
      } catch {
        // The history is a convenience: a session continues without it.
      }
    },
  };
}

function parse(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return typeof value === 'string' ? [value] : [];
    } catch {
      return []; // the last line of a write that was cut off
    }
  });
}

function serialize(messages: readonly string[]): string {
  return messages.map((message) => `${JSON.stringify(message)}\n`).join('');
}
