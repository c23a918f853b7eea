import { hasUnseen } from '@gateway/contract/legible';
import { claimAt } from './pattern.ts';

const PLACEHOLDER = /\{([^{}]+)\}/g;
const LONGEST_SUBJECT = 255;

/** Names of the claims in a template. */
export function placeholdersOf(template: string): readonly string[] {
  return [...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
}

/** What is wrong with a template, as the end of a sentence; null where it can be filled. */
export function subjectTemplateFault(template: string): string | null {
  const fixed = template.replaceAll(PLACEHOLDER, '');
  if (/[{}]/.test(fixed)) return 'holds a brace that encloses no name of a claim';
  if (hasUnseen(fixed) || /\s/.test(fixed)) return 'must contain no spaces or invisible characters';
  // Between two values a character is required that neither can contain.
  return /\}(?![:@]|$)[^{]*\{/.test(template)
    ? 'must have ":" or "@" behind each placeholder that another one follows'
    : null;
}

/**
 * A template filled with the claims of a token. `%`, `:` and `@` in a value are percent-encoded, so that no value looks like two
 * parts of another subject.
 * @returns the subject, or the fault, as a sentence for the log
 */
export function subjectOf(
  template: string,
  claims: Readonly<Record<string, unknown>>,
): { readonly subject: string } | { readonly fault: string } {
  let fault: string | null = null;
  const subject = template.replaceAll(PLACEHOLDER, (_, name: string) => {
    const value = claimAt(claims, name);
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text === 'string' && text !== '' && text.isWellFormed() && !hasUnseen(text) && !/\s/.test(text)) {
      return text.replaceAll(/[%:@]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
    }
    fault ??= `the claim ${name}, which the subject needs, is absent or not one word`;
    return '';
  });
  if (fault !== null) return { fault };
  if (subject.length > LONGEST_SUBJECT) return { fault: `the subject is longer than ${LONGEST_SUBJECT} characters` };
  return { subject };
}
