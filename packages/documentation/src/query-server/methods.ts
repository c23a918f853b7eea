import { BRAND } from '@gateway/contract';
import type { IdentityCard } from '../archive/identity-card.ts';
import type { Search } from '../search/search.ts';
import { invalidParams, methodNotFound, type ProtocolError } from './errors.ts';
import type { Params } from './message.ts';
import { isLegacy, META, NEWEST_LEGACY, SUPPORTED } from './revisions.ts';
import { callTool, TOOL, TOOL_NAME } from './tool.ts';

/** What the methods answer from. */
export interface Served {
  readonly card: IdentityCard;
  readonly search: Search;
}

type Result = { readonly result: Readonly<Record<string, unknown>> } | { readonly error: ProtocolError };

/** How long (ms) a client may keep what only another installed archive changes. */
const KEPT = 5 * 60 * 1000;

const CAPABILITIES = { tools: {} } as const;

const INSTRUCTIONS =
  'Answers questions from the documentation installed on this gateway. Ask search_documentation in plain words and quote the passages it gives; it never makes anything up.';

/** Revisions up to 2025-11-25. */
export function legacyMethod(served: Served, method: string, params: Params): Result {
  switch (method) {
    case 'initialize': {
      const asked = params['protocolVersion'];
      return {
        result: {
          protocolVersion: typeof asked === 'string' && isLegacy(asked) ? asked : NEWEST_LEGACY,
          capabilities: CAPABILITIES,
          serverInfo: serverInfo(served),
          instructions: INSTRUCTIONS,
        },
      };
    }
    case 'ping':
      return { result: {} };
    case 'tools/list':
      return { result: { tools: [TOOL] } };
    case 'tools/call':
      return toolCall(served, params);
    default:
      return { error: methodNotFound(method) };
  }
}

/** Revision 2026-07-28: every result states that it is complete and names its server. */
export function modernMethod(served: Served, method: string, params: Params): Result {
  const answered = modernResult(served, method, params);
  if ('error' in answered) return answered;
  return { result: { resultType: 'complete', ...answered.result, _meta: { [META.server]: serverInfo(served) } } };
}

function modernResult(served: Served, method: string, params: Params): Result {
  const kept = { ttlMs: KEPT, cacheScope: 'public' };
  switch (method) {
    case 'server/discover':
      return {
        result: { supportedVersions: SUPPORTED, capabilities: CAPABILITIES, instructions: INSTRUCTIONS, ...kept },
      };
    case 'tools/list':
      return { result: { tools: [TOOL], ...kept } };
    case 'tools/call':
      return toolCall(served, params);
    default:
      return { error: methodNotFound(method) };
  }
}

function toolCall({ search }: Served, params: Params): Result {
  if (params['name'] === TOOL_NAME) return { result: callTool(search, params['arguments']) };
  return { error: invalidParams(`Unknown tool. This server has one: ${TOOL_NAME}.`, 200) };
}

function serverInfo({ card }: Served): Record<string, string> {
  return { name: `${BRAND}-documentation`, title: 'Documentation', version: card.version };
}
