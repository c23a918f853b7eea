import type { RequestId } from './message.ts';

/** A JSON-RPC error, with its HTTP status in the revision 2026-07-28; earlier ones use 200. */
export interface ProtocolError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
  readonly status: number;
}

export const invalidRequest: ProtocolError = {
  code: -32600,
  message: 'This is not a JSON-RPC 2.0 request.',
  status: 400,
};

export function methodNotFound(method: string): ProtocolError {
  return { code: -32601, message: `This server has no method ${JSON.stringify(method)}.`, status: 404 };
}

/** Something about the parameters; a malformed request is 400, what only the tool can judge is 200. */
export function invalidParams(message: string, status: 200 | 400): ProtocolError {
  return { code: -32602, message, status };
}

export function headerMismatch(message: string): ProtocolError {
  return { code: -32020, message, status: 400 };
}

export function unsupportedVersion(requested: string, supported: readonly string[]): ProtocolError {
  return {
    code: -32022,
    message: 'This server does not implement the requested protocol version.',
    data: { supported, requested },
    status: 400,
  };
}

/** The error in the form that is sent. */
export function errorResponse(id: RequestId | null, { code, message, data }: ProtocolError): unknown {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } };
}
