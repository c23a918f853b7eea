import { createSecureContext } from 'node:tls';
import { codeOf, type Reading, shown, type Variable } from '@gateway/configuration';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The certificates of an authority file; none where the variable is absent, none and a fault where they cannot be read. */
export function readAuthorities(reading: Reading, variable: Variable): readonly string[] {
  const text = reading.file(variable);
  if (text === null) return [];
  const found = text.match(CERTIFICATE) ?? [];
  if (found.length === 0) {
    reading.fault(variable, `holds no PEM certificate: ${shown(reading.text(variable) ?? '')}.`);
    return [];
  }
  try {
    createSecureContext({ ca: [...found] });
    return found;
  } catch (error) {
    reading.fault(variable, `holds a certificate that cannot be read (${codeOf(error)}).`);
    return [];
  }
}
