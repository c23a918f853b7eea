import type { ClientCapabilities } from '@agentclientprotocol/sdk';

/** What the editor lends to the agent, as it said when the connection began. */
export interface Offered {
  readonly reads: boolean;
  readonly writes: boolean;
  readonly terminals: boolean;
  /** Notices of their own, apart from the answer. */
  readonly notices: boolean;
  /** Forms, for questions of the model. */
  readonly forms: boolean;
  readonly terminalSignIn: boolean;
}

export const NOTHING_OFFERED: Offered = readOffered(undefined);

export function readOffered(capabilities: ClientCapabilities | undefined): Offered {
  const { fs, terminal, session, elicitation, auth } = capabilities ?? {};
  return {
    reads: fs?.readTextFile === true,
    writes: fs?.writeTextFile === true,
    terminals: terminal === true,
    notices: session?.notices != null,
    forms: elicitation?.form != null,
    terminalSignIn: auth?.terminal === true,
  };
}
