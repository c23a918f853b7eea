import type { AuthProvider, OAuthClientProvider } from '@modelcontextprotocol/client';
import type { ServerStatus } from '../agent/types/index.ts';

/** The transport of a server at an address. */
export async function remoteTransport(
  { url, headers, type }: ServerConfiguration & { readonly url: string },
  authProvider?: AuthProvider | OAuthClientProvider,
) {
  const { SSEClientTransport, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const options = {
    ...(headers === undefined ? {} : { requestInit: { headers } }),
    ...(authProvider === undefined ? {} : { authProvider }),
  };
  if (type === 'sse') return new SSEClientTransport(new URL(url), options);
  const streamable = new StreamableHTTPClientTransport(new URL(url), options);
  const send = streamable.send.bind(streamable);
  // The library goes on waiting where a stream ends without the answer. A second answer to a request counts for nothing.
  streamable.send = (message, more) => {
    const onRequestStreamEnd = (): void => {
      if (Array.isArray(message) || !('method' in message) || !('id' in message)) return;
      const error = { code: -32000, message: 'the connection was closed before the answer' };
      streamable.onmessage?.({ jsonrpc: '2.0', id: message.id, error });
    };
    return send(message, { ...more, onRequestStreamEnd });
  };
  return streamable;
}

/** The transport of a server that is a process of this machine. */
export async function processTransport(
  { command, args = [], env, cwd }: ServerConfiguration,
  directory: string,
  heard: (text: string) => void,
) {
  const { getDefaultEnvironment, StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const transport = new StdioClientTransport({
    command: command ?? '',
    args: [...args],
    env: { ...getDefaultEnvironment(), ...env },
    cwd: cwd ?? directory,
    stderr: 'pipe',
  });
  transport.stderr?.on('data', (chunk: Buffer) => heard(chunk.toString()));
  return transport;
}

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
