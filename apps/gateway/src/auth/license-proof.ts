import { hash, timingSafeEqual } from 'node:crypto';
import { type License, licenseRefusal } from '@gateway/access';
import { type Refusal, refusal } from '@gateway/contract';

/**
 * Tells whether a workstation presents this deployment's own license (workstation-1), and whether that still runs and covers
 * the control plane. No header, another party's license and one that has expired are one and the same refusal
 * (workstation-1).
 * @param clock milliseconds since the epoch
 */
export function licenseProof(license: License, clock: () => number): (authorization: string) => Refusal | null {
  const expected = digestOf(license.text);
  return (authorization) => {
    const [, presented] = /^bearer[ \t]+(\S+)[ \t]*$/i.exec(authorization) ?? [];
    // Digests have one length, so the comparison takes the same time for any value.
    const same = timingSafeEqual(digestOf(presented ?? ''), expected);
    if (presented === undefined || !same) return refusal('license-not-presented');
    const refused = licenseRefusal(license.claims, 'workstation-control', clock());
    return refused?.code === 'license-expired' ? refusal('license-not-presented') : refused;
  };
}

function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
