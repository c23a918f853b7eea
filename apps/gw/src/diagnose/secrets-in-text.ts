import { randomBytes } from 'node:crypto';
import { createScanner, type Scanner } from '@gateway/secrets';
import { type Position, positionIn } from '../configuration/position.ts';
import type { Probe } from './probe.ts';

let scanner: Scanner | null = null;

/**
 * Finds what looks like a secret in a text of the user's, by line and kind, and leaves its value out of everything.
 * @param fix what to do about one.
 * @param known lines in which a secret was found already.
 */
export function findSecrets(
  probe: Probe,
  file: string,
  text: string,
  fix: string,
  known: ReadonlySet<number> = new Set(),
): void {
  scanner ??= createScanner({ key: randomBytes(32) });
  const lines = new Set(known);
  for (const { start, end, kind } of scanner.scanText(text)) {
    probe.redaction.withhold(text.slice(start, end));
    const { line, column }: Position = positionIn(text, start);
    if (lines.has(line)) continue;
    lines.add(line);
    probe.find({
      grade: 'security',
      what: probe.redaction.format`What looks like a secret (${kind}) is there in plain text.`,
      where: probe.redaction.format`${file}` + `:${line}:${column}`,
      fix,
    });
  }
}
