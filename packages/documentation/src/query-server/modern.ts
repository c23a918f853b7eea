import { headerMismatch, invalidParams, type ProtocolError, unsupportedVersion } from './errors.ts';
import { isObject, type Params } from './message.ts';
import { isLegacy, META, MODERN, SUPPORTED } from './revisions.ts';

/** Headers that mirror the body, lower-case names. */
export interface MirroredHeaders {
  readonly 'mcp-protocol-version'?: string | undefined;
  readonly 'mcp-method'?: string | undefined;
  readonly 'mcp-name'?: string | undefined;
}

/**
 * Whether a request announces a revision without `initialize`, in its header or in its metadata. An unknown version counts as
 * well: only such a revision has an answer for it.
 */
export function isModern(headers: MirroredHeaders, params: Params): boolean {
  const header = headers['mcp-protocol-version'];
  return metaOf(params)?.[META.version] !== undefined || (header !== undefined && !isLegacy(header));
}

/** What is wrong with the envelope of a modern request, in the order in which it is read; null when nothing is. */
export function envelopeFault(headers: MirroredHeaders, method: string, params: Params): ProtocolError | null {
  const meta = metaOf(params);
  const header = headers['mcp-protocol-version'];
  const version = meta?.[META.version];
  if (header === undefined) return headerMismatch('The header MCP-Protocol-Version is missing.');
  // A client of an earlier revision that announces its own, only in the header.
  if (version === undefined && header !== MODERN) return unsupportedVersion(header, SUPPORTED);
  if (typeof version !== 'string') return invalidParams(`_meta must carry ${META.version}, a string.`, 400);
  if (header !== version) {
    return headerMismatch(`The header MCP-Protocol-Version says ${quote(header)}, the body ${quote(version)}.`);
  }
  if (version !== MODERN) return unsupportedVersion(version, SUPPORTED);
  if (headers['mcp-method'] !== method) {
    return headerMismatch(`The header Mcp-Method says ${quote(headers['mcp-method'])}, the body ${quote(method)}.`);
  }
  if (!isObject(meta?.[META.capabilities])) {
    return invalidParams(`_meta must carry ${META.capabilities}, an object.`, 400);
  }
  return method === 'tools/call' ? nameFault(headers['mcp-name'], params['name']) : null;
}

function nameFault(header: string | undefined, name: unknown): ProtocolError | null {
  if (typeof name !== 'string') return invalidParams('params.name must be a string.', 400);
  return header !== undefined && decodeHeader(header) === name
    ? null
    : headerMismatch(`The header Mcp-Name says ${quote(header)}, the body ${quote(name)}.`);
}

/** A header value, decoded where it is written as `=?base64?…?=`; null where that is no UTF-8. */
function decodeHeader(value: string): string | null {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  if (encoded === undefined) return value;
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(encoded)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(encoded, 'base64'));
  } catch {
    return null;
  }
}

function metaOf(params: Params): Params | null {
  return isObject(params['_meta']) ? params['_meta'] : null;
}

function quote(value: string | undefined): string {
  return value === undefined ? 'nothing' : JSON.stringify(value.slice(0, 100));
}
