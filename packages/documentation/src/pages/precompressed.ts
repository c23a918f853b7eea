import type { Archive, ArchiveFile } from '../archive/load.ts';

/** Encodings in which an archive may contain a file besides the original, best first, with their extensions. */
const ENCODINGS = [
  { coding: 'br', extension: '.br' },
  { coding: 'gzip', extension: '.gz' },
] as const;

export interface Representation {
  readonly file: ArchiveFile;
  readonly coding: 'br' | 'gzip' | null;
  /** Whether another `Accept-Encoding` could get another representation. */
  readonly varies: boolean;
}

/** Selects the smallest form of a file that the archive contains and the caller accepts (RFC 9110 §12.5.3). */
export function representationOf(
  archive: Archive,
  file: ArchiveFile,
  acceptEncoding: string | undefined,
): Representation {
  const held = ENCODINGS.flatMap(({ coding, extension }) => {
    const encoded = archive.files.get(file.name + extension);
    return encoded ? [{ coding, file: encoded }] : [];
  });
  const chosen = held.find(({ coding }) => accepts(acceptEncoding, coding));
  return { file: chosen?.file ?? file, coding: chosen?.coding ?? null, varies: held.length > 0 };
}

function accepts(header: string | undefined, coding: string): boolean {
  for (const part of header?.toLowerCase().split(',') ?? []) {
    const [name, ...parameters] = part.split(';').map((word) => word.trim());
    if (name !== coding) continue;
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    return quality === undefined || Number(quality.slice(2)) > 0;
  }
  return false;
}
