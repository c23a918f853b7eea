import { certificatesOf, printable, type Reading, type Variable } from '@gateway/configuration';

/** The certificates of an authority file; none where the variable is absent, none and a fault where they cannot be read. */
export function readAuthorities(reading: Reading, variable: Variable): readonly string[] {
  const text = reading.file(variable);
  if (text === null) return [];
  const found = certificatesOf(text);
  if (found === null) reading.fault(variable, 'holds a certificate that cannot be read.');
  else if (found.length === 0) {
    reading.fault(variable, `contains no PEM certificate: ${printable(reading.text(variable) ?? '')}.`);
  }
  return found ?? [];
}
