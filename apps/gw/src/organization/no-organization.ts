import type { Organization } from '../agent/types.ts';

/** Without a license or a gateway nothing is imposed and nothing is sent. */
export const NO_ORGANIZATION: Organization = {
  policy: async () => ({
    source: 'none',
    revision: null,
    document: null,
    tools: {},
    commands: 'workstation',
    notice: null,
  }),
  standing: async () => 'in force',
  act: () => undefined,
  flush: async () => null,
};
