import { createScanner, type Scanner } from '@gateway/secrets';

let scanner: Scanner | null = null;

/**
 * One sentence for each field of a body that looks like a secret, by the field's name. Input is stored, shown and exported; so
 * would be a key pasted into the wrong field (console-12).
 */
export function secretsIn(json: string): Record<string, string> {
  scanner ??= createScanner({ key: new Uint8Array(0) });
  const fields: Record<string, string> = Object.create(null);
  for (const { kind, pointer } of scanner.scanBody(Buffer.from(json), 'application/json').findings) {
    const path = (pointer ?? '').split('/').slice(1);
    const field = path.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')).join('.') || 'body';
    fields[field] ??= `holds what looks like a secret (${kind}); input is stored and displayed`;
  }
  return fields;
}
