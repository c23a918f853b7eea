import { createScanner, type Scanner } from './scanner.ts';

/** Line ends, terminal sequences and other control characters: one line stays one line and cannot mislead. */
const CONTROLS = /\s*[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+\s*/gu;

let scanner: Scanner | null = null;

/**
 * A text with possible secrets masked, for any traffic policy: a detected secret is never logged in clear (log-15). All log lines
 * of our programs pass through here, because sentences quote addresses, headers and answers of other authors.
 */
export function maskText(text: string): string {
  scanner ??= createScanner({ key: new Uint8Array(0) });
  const { findings, mask } = scanner.scanBody(Buffer.from(text), 'text/plain');
  return findings.length === 0 ? text : Buffer.from(mask()).toString();
}

/** What an operator reads of a text: `maskText`, in one line. */
export function operatorLine(text: string): string {
  return maskText(text.replaceAll(CONTROLS, ' ').trim());
}
