import { readingsOf } from '@gateway/access';

/** Most paths of one endpoint, and most characters of one. */
export const MOST_PATHS = 50;
const LONGEST_PATH = 500;
/** Of one path: each multiplies the time that matching may take. */
const MOST_WILDCARDS = 3;

const PATH = /^\/[\x21-\x7e]*$/;
/** APIs put their version first, and some clients leave it to the Base URL. */
const VERSION = /^\/v\d+[a-z]*\d*(?=\/)/i;

/** What keeps a text from being declared as a path of an endpoint; null: nothing. */
export function endpointPathFault(text: string): string | null {
  if (!PATH.test(text)) return 'must begin with / and hold no spaces or characters beyond ASCII';
  if (text.length > LONGEST_PATH) return `must have at most ${LONGEST_PATH} characters`;
  if (/[?#]/.test(text)) return 'must be a path without a query';
  if (text.split('*').length > MOST_WILDCARDS + 1) return `must contain at most ${MOST_WILDCARDS} wildcards`;
  if (readingsOf(text).length > 1)
    return 'must contain no percent codes, parameters, backslashes, empty or dot segments';
  return null;
}

/**
 * Whether callers of an endpoint may use a path. A declared path allows itself, also after a version (`/chat/completions` allows
 * `/v1/chat/completions`); `*` matches any characters of one segment, and as the last segment everything below. The engine's
 * reading of the path is unknown: all readings must be allowed. A path declared in lower case allows capitals, too.
 * @param declared paths of the endpoint; none: all are allowed
 * @param rest of the call's target after the endpoint's name, with its query
 */
export function isPathAllowed(declared: readonly string[], rest: string): boolean {
  if (declared.length === 0) return true;
  const path = rest.replace(/[?#].*$/s, '');
  const patterns = declared.map(patternOf);
  return readingsOf(path).every((reading) => {
    const unversioned = reading.replace(VERSION, '');
    return patterns.some((pattern) => pattern.test(reading) || pattern.test(unversioned));
  });
}

function patternOf(declared: string): RegExp {
  const below = declared.endsWith('/*');
  const parts = (below ? declared.slice(0, -1) : declared).split(/\*+/).map(escaped);
  return new RegExp(`^${parts.join('[^/]*')}${below ? '.+' : ''}$`, declared === declared.toLowerCase() ? 'is' : 's');
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&');

/** The path of a chat completion on an endpoint: what a call is taken for where its path is not known. */
export const usualPath = (endpoint: string): string => `/${endpoint}/v1/chat/completions`;
