import { pairFault, type Reading, type Variable } from '@gateway/configuration';

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
