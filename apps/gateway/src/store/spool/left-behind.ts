import { readFileSync } from 'node:fs';
import { codeOf } from '@gateway/configuration';

/** The text of a file that another process may have removed meanwhile: then null. */
export function textIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** The value of a text that may be truncated; null for an invalid one. */
export function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
