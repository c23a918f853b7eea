/** The revision that carries its version and the caller's capabilities with every request. */
export const MODERN = '2026-07-28';

/** Revisions that begin with `initialize`, newest first. */
export const LEGACY = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

export const NEWEST_LEGACY = LEGACY[0];

export function isLegacy(revision: string): boolean {
  return (LEGACY as readonly string[]).includes(revision);
}

/** All revisions that are served, newest first. */
export const SUPPORTED: readonly string[] = [MODERN, ...LEGACY];

const PREFIX = 'io.modelcontextprotocol/';
export const META = {
  version: `${PREFIX}protocolVersion`,
  capabilities: `${PREFIX}clientCapabilities`,
  server: `${PREFIX}serverInfo`,
} as const;
