import { statSync } from 'node:fs';

/** Directories and links of the system that every sandbox shows, where this host has them. */
export const SANDBOX_SYSTEM = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
/** Settings of the host that every sandbox shows, where it has them. */
export const SANDBOX_SETTINGS = [
  '/etc/ld.so.cache',
  '/etc/alternatives',
  '/etc/ssl/certs',
  '/etc/localtime',
  '/etc/nsswitch.conf',
];

/** The paths of this host that every sandbox shows, besides the operator's. */
export function listAlwaysShown(): readonly string[] {
  return ['/usr', ...SANDBOX_SYSTEM, ...SANDBOX_SETTINGS].filter(
    (path) => statSync(path, { throwIfNoEntry: false }) !== undefined,
  );
}
