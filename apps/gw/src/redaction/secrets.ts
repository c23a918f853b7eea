import { readFileSync } from 'node:fs';
import { createScanner, type Scanner, usePreparedAutomaton } from '@gateway/secrets';

/** The build puts the automaton of the rules beside the parts of the program. A checkout has none and builds its own. */
usePreparedAutomaton(() => {
  try {
    const { buffer, byteOffset, byteLength } = readFileSync(new URL('automaton.bin', import.meta.url));
    return new Int32Array(buffer, byteOffset, byteLength / Int32Array.BYTES_PER_ELEMENT);
  } catch {
    return null;
  }
});

export { maskText, operatorLine } from '@gateway/secrets';

let scanner: Scanner | null = null;

/** A text with what looks like a secret masked, and how many there were. What goes to a model passes here. */
export function maskSecrets(text: string): { readonly text: string; readonly masked: number } {
  scanner ??= createScanner({ key: new Uint8Array(0) });
  const { findings, mask } = scanner.scanBody(Buffer.from(text), 'text/plain');
  return findings.length === 0
    ? { text, masked: 0 }
    : { text: Buffer.from(mask()).toString(), masked: findings.length };
}
