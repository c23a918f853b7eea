import { graceEndOf, type License, termOf, VENDOR_PUBLIC_KEY, verifyLicense } from '@gateway/access';
import type { Reading, Variable } from '@gateway/configuration';

const text: Variable = {
  name: 'GATEWAY_LICENSE',
  form: 'the license of this deployment: three parts separated by dots',
  fallback: 'GATEWAY_LICENSE_FILE, one of the two is required',
  effect: 'The license. Not together with GATEWAY_LICENSE_FILE.',
};
const file: Variable = {
  name: 'GATEWAY_LICENSE_FILE',
  form: 'the path of a file that holds the license',
  fallback: 'GATEWAY_LICENSE, one of the two is required',
  effect: 'The license, read at start from a file.',
};

export const LICENSE_VARIABLES: readonly Variable[] = [text, file];

/**
 * The deployment's license, or null beside a fault: missing, unreadable, badly signed, or expired beyond its grace
 * (refusals-23).
 * @param now milliseconds since 1970
 */
export async function readLicense(
  reading: Reading,
  now: number = Date.now(),
  publicKey: string = VENDOR_PUBLIC_KEY,
): Promise<License | null> {
  const variable = reading.text(text) === null && reading.text(file) !== null ? file : text;
  if (reading.text(text) !== null && reading.text(file) !== null) {
    reading.fault(text, 'and GATEWAY_LICENSE_FILE are both set. Keep one.');
    return null;
  }
  const found = variable === file ? reading.file(file) : reading.text(text);
  if (found === null) {
    if (variable === text)
      reading.fault(
        text,
        'is not set. Set it to the license of this deployment, or GATEWAY_LICENSE_FILE to the path of a file that holds it.',
      );
    return null;
  }
  const verified = await verifyLicense(found.trim(), publicKey);
  if (!verified.ok) {
    reading.fault(
      variable,
      `the license cannot be accepted: ${verified.fault.sentence}. Ask the vendor for the license of this deployment.`,
    );
    return null;
  }
  const { claims } = verified.license;
  if (termOf(claims, now) === 'elapsed') {
    reading.fault(
      variable,
      `the license expired, and its grace elapsed on ${graceEndOf(claims).toISOString().slice(0, 10)}. Contact the vendor to renew it.`,
    );
    return null;
  }
  return verified.license;
}
