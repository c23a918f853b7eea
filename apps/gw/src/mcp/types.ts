import type { ServerStatus } from '../agent/types.ts';

export type ServerState = ServerStatus['state'];

/** A configured server of the Model Context Protocol. */
export interface ServerConfiguration {
  readonly name: string;
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  /** Added to the few harmless variables that every server gets. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
  readonly url?: string | undefined;
  /** Sent with every request to `url`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly type?: 'stdio' | 'sse' | 'streamable-http' | undefined;
  /** A project's configuration names it, and the person agreed to it. */
  readonly ofProject: boolean;
}
