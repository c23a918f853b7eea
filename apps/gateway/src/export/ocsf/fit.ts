import type { OcsfEvent } from './event.ts';

/** Longest texts of an event that is too long, in characters: one after the other until it fits. */
const LENGTHS = [1024, 256, 64, 16];

/**
 * The event as JSON within a size limit: collectors cut longer events, and cut JSON is lost. First the values of an
 * administration action are omitted, then texts are shortened; `unmapped.left_out` lists both.
 * @param most bytes; at least 4096, so that the attributes without free text always fit.
 */
export function fittingJson(event: OcsfEvent, most: number): string {
  const whole = JSON.stringify(event);
  if (Buffer.byteLength(whole) <= most) return whole;
  const bare = leavingOut({ ...event, ...without(event, 'entity'), ...without(event, 'entity_result') }, 'values');
  let json = JSON.stringify(bare);
  for (const length of LENGTHS) {
    if (Buffer.byteLength(json) <= most) break;
    json = JSON.stringify(leavingOut(bare, 'texts'), (_name, value: unknown) =>
      typeof value === 'string' ? shorten(value, length) : value,
    );
  }
  return json;
}

/** The entity without its content. */
function without(event: OcsfEvent, name: string): OcsfEvent {
  const entity = event[name];
  if (typeof entity !== 'object' || entity === null) return {};
  return { [name]: Object.fromEntries(Object.entries(entity).filter(([member]) => member !== 'data')) };
}

function leavingOut(event: OcsfEvent, what: string): OcsfEvent {
  const unmapped = event['unmapped'];
  const members: Record<string, unknown> = typeof unmapped === 'object' && unmapped !== null ? { ...unmapped } : {};
  const before = members['left_out'];
  return {
    ...event,
    unmapped: { ...members, left_out: [...new Set([...(Array.isArray(before) ? before : []), what])] },
  };
}

/** Identifiers are shorter than any text that matters here, so 64 characters keep them whole. */
function shorten(text: string, length: number): string {
  return text.length <= Math.max(length, 64) ? text : `${text.slice(0, length).toWellFormed()}…`;
}
