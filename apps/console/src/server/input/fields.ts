import { faultsIn } from '@gateway/access/declarations';
import type { ZodError } from 'zod';

/** One sentence a faulty field, named by its path (`document.tools.allow.0`). */
export function fieldsOf(error: ZodError): Record<string, string> {
  // No prototype: a member called __proto__ is a name like any other.
  const fields: Record<string, string> = Object.create(null);
  for (const { path, sentence } of faultsIn(error)) fields[path.join('.') || 'body'] ??= sentence;
  return fields;
}
