import { isUtf8 } from 'node:buffer';
import { refusal } from '@gateway/contract';
import type { Archive, ArchiveFile } from '../archive/load.ts';
import { type Answer, answer, refuse } from './answer.ts';
import { isHeld, parseRange, rangeStillHolds } from './conditional.ts';
import { contentSecurityPolicyOf } from './content-security.ts';
import { mediaTypeOf, withoutCharset } from './media-type.ts';
import { representationOf } from './precompressed.ts';
import { resolve } from './resolve.ts';
import type { Address } from './target.ts';

/** The request headers that decide how a page is answered, lower-case names. */
export type PageHeaders = Readonly<
  Partial<Record<'accept-encoding' | 'if-none-match' | 'if-range' | 'range', string | undefined>>
>;

/**
 * Every answer about a file requires revalidation: an archive may be replaced at any time, and a cached page with the style sheet
 * of another version would be inconsistent. The strong tag makes that cheap.
 */
const CACHE_CONTROL = 'no-cache';

/** The headers that describe a file's content. */
interface Description {
  readonly type: string;
  readonly policy: string | null;
}

/** Descriptions already worked out: an installed file never changes. */
const descriptions = new WeakMap<ArchiveFile, Description>();

/** Answers GET or HEAD of an address under `/v` (documentation-1). */
export function answerPage(archive: Archive, address: Address, headers: PageHeaders): Answer {
  const resolution = resolve(archive, address);
  if ('refusal' in resolution) return refuse(resolution.refusal);
  if ('location' in resolution) {
    return answer(302, { location: resolution.location, 'cache-control': 'no-cache' }, Buffer.alloc(0));
  }
  return answerFile(archive, resolution.file, headers);
}

/** Answers 405 to any other method. */
export function refuseMethod(): Answer {
  return refuse(refusal('documentation-read-only', { headers: { allow: 'GET, HEAD' } }));
}

function answerFile(archive: Archive, asked: ArchiveFile, headers: PageHeaders): Answer {
  const { file, coding, varies } = representationOf(archive, asked, headers['accept-encoding']);
  const { type, policy } = descriptionOf(asked);
  const common = {
    etag: file.etag,
    'cache-control': CACHE_CONTROL,
    ...(varies ? { vary: 'accept-encoding' } : {}),
    ...(policy === null ? {} : { 'content-security-policy': policy }),
  };
  if (isHeld(headers['if-none-match'], file.etag)) return answer(304, common, null);
  const described = {
    ...common,
    'content-type': type,
    'accept-ranges': 'bytes',
    ...(coding === null ? {} : { 'content-encoding': coding }),
  };
  const range = rangeStillHolds(headers['if-range'], file.etag) ? parseRange(headers.range, file.size) : null;
  if (range === 'unsatisfiable') {
    return answer(416, { ...common, 'content-range': `bytes */${file.size}` }, Buffer.alloc(0));
  }
  if (range === null) return answer(200, described, part(file, 0, file.size - 1));
  const { start, end } = range;
  return answer(206, { ...described, 'content-range': `bytes ${start}-${end}/${file.size}` }, part(file, start, end));
}

function part(file: ArchiveFile, start: number, end: number): Answer['body'] {
  const { bytes, path, mark } = file;
  return bytes ? bytes.subarray(start, end + 1) : { path, mark, start, end };
}

function descriptionOf(file: ArchiveFile): Description {
  const known = descriptions.get(file);
  if (known !== undefined) return known;
  const named = mediaTypeOf(file.name);
  // A header would override the encoding that an older page declares.
  const type = file.bytes === null || isUtf8(file.bytes) ? named : withoutCharset(named);
  const description = { type, policy: contentSecurityPolicyOf(type, file.bytes) };
  descriptions.set(file, description);
  return description;
}
