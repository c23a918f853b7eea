import { createScanner, type Scanner } from './scanner.ts';

/** Line ends, terminal sequences and everything else that is no text: one line stays one line, and says what it seems to say. */
const CONTROLS = /\s*[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+\s*/gu;

let scanner: Scanner | null = null;

/**
 * A text with what looks like a secret masked, whatever the policy for traffic is: a detected secret is never logged in
 * clear (log-15). Everything a program of ours logs goes through here, for sentences quote addresses,
 * headers and answers that other people wrote.
 */
export function maskedText(text: string): string {
  scanner ??= createScanner({ key: new Uint8Array(0) });
  const { findings, mask } = scanner.scanBody(Buffer.from(text), 'text/plain');
  return findings.length === 0 ? text : Buffer.from(mask()).toString();
}

/** What an operator reads of a text: `maskedText`, in one line. */
export function operatorLine(text: string): string {
  return maskedText(text.replaceAll(CONTROLS, ' ').trim());
}
