import { createScanner, type Scanner } from './secrets.ts';

let scanner: Scanner | null = null;

/** A text with what looks like a secret masked, and how many there were. What goes to a model passes here. */
export function maskSecrets(text: string): { readonly text: string; readonly masked: number } {
  scanner ??= createScanner({ key: new Uint8Array(0) });
  const { findings, mask } = scanner.scanBody(Buffer.from(text), 'text/plain');
  return findings.length === 0
    ? { text, masked: 0 }
    : { text: Buffer.from(mask()).toString(), masked: findings.length };
}
