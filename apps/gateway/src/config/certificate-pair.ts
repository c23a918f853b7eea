import { certificatesOf, pairFault, printable, type Reading, type Variable } from '@gateway/configuration';

/** A certificate and its private key, PEM. */
export interface CertificatePair {
  readonly cert: string;
  readonly key: string;
}

/** The paths of such a pair. */
export interface CertificateFiles {
  readonly certificateFile: string;
  readonly keyFile: string;
}

/** Both files or none, and a matching pair (limits-10); null after a fault, too. */
export function readPair(reading: Reading, certificateFile: Variable, keyFile: Variable): CertificatePair | null {
  const [certificatePath, keyPath] = [reading.text(certificateFile), reading.text(keyFile)];
  if (certificatePath === null && keyPath !== null)
    reading.fault(certificateFile, `is not set although ${keyFile.name} is. Set both or none.`);
  if (certificatePath !== null && keyPath === null)
    reading.fault(keyFile, `is not set although ${certificateFile.name} is. Set both or none.`);
  const [cert, key] = [reading.file(certificateFile), reading.file(keyFile)];
  if (cert === null || key === null) return null;
  const fault = pairFault(cert, key);
  if (fault === null) return { cert, key };
  reading.fault(certificateFile, `and ${keyFile.name} are not a certificate and its private key (${fault}).`);
  return null;
}

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
