import { resolve } from 'node:path';
import type { Reading, Variable } from '@gateway/configuration';
import { absentDocumentation, type Documentation, openDocumentation } from '@gateway/documentation';
import type { Report } from '../process/report.ts';

const folder: Variable = {
  name: 'GATEWAY_DOCS_DIR',
  form: 'the path of a folder with an unpacked documentation archive: archive.json is at its root',
  fallback: 'no documentation is served: every address under /v answers 501',
  effect:
    'The documentation served under /v, with its search and query server. A new archive in its place is used without a restart.',
};

export const DOCUMENTATION_VARIABLES: readonly Variable[] = [folder];

/** Absolute path of the folder, or null where no documentation is served. */
export function readDocumentationFolder(reading: Reading): string | null {
  const text = reading.text(folder);
  return text === null ? null : resolve(text);
}

/**
 * Opens what the variable names (refusals-26).
 * @param report called with one line when an archive installed later cannot be served
 */
export async function openConfigured(
  path: string | null,
  report: Report,
): Promise<Documentation | { readonly fault: string }> {
  if (path === null) return absentDocumentation();
  const opened = await openDocumentation(path, (sentence) => report(`${folder.name}: ${sentence}`));
  return 'fault' in opened ? { fault: `${folder.name}: ${opened.fault}` } : opened;
}
