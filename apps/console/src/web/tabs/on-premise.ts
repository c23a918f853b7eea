import { AUDIT, AUDITORS, ENDPOINTS, ME, MEMBERS, POLICY } from './common.ts';
import type { Surfaces } from './tab.ts';

/** The on-premise console's tabs, in the order of both builds. The others do not exist in this artifact (console-17). */
export const SURFACES: Surfaces = {
  '/': [ENDPOINTS, POLICY, AUDIT],
  '/audit': AUDITORS,
  '/project': [MEMBERS],
  '/me': [ME],
};
