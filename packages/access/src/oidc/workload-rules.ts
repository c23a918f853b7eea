import { WORKLOAD_PREFIX } from '@gateway/contract';
import { errorMessage } from '@gateway/contract/error-code';
import { faultsIn } from '@gateway/contract/fields';
import { hasUnseen } from '@gateway/contract/legible';
import * as z from 'zod';
import { issuerFault } from './transport.ts';

const PLACEHOLDER = /\{([^{}]+)\}/g;
const LONGEST_SUBJECT = 255;

/** Of one pattern: each multiplies the time that matching may take. */
const MOST_WILDCARDS = 3;

/** Longer values of claims match nothing. */
const LONGEST_VALUE = 1000;

const LONGEST = 500;
const text = (most = LONGEST) =>
  z.string('must be text').min(1, 'must not be empty').max(most, `must have at most ${most} characters`);

const pattern = text().refine(
  (value) => value.split(/\*+/).length <= MOST_WILDCARDS + 1,
  `must contain at most ${MOST_WILDCARDS} wildcards`,
);

/** One rule of GATEWAY_WORKLOADS_FILE: which tokens of an issuer are accepted, and as which subject. */
const rule = z
  .strictObject({
    name: z.string('must be text').regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must be 1 to 32 of a-z, 0-9 and "-"'),
    issuer: text(),
    /** A JSON Web Key Set that replaces the issuer's published one: no network access is needed then. */
    keysFile: text(4000).optional(),
    /** Authorities that count besides the others where the keys are fetched. */
    caFile: text(4000).optional(),
    audience: text(),
    claims: z
      .record(text(), z.union([pattern, z.array(pattern).min(1).max(50)], 'must be a pattern or a list of patterns'))
      .refine(
        (claims) => Object.keys(claims).length > 0,
        'must name at least one claim: every token of the issuer would be accepted otherwise',
      ),
    subject: text(),
    maximumAgeSeconds: z
      .int('must be a whole number of seconds')
      .min(60, 'must be at least 60')
      .max(86_400, 'must be at most 86400')
      .default(3600),
  })
  .superRefine((given, context) => {
    const fault = (member: string, message: string) => context.addIssue({ code: 'custom', path: [member], message });
    if (given.keysFile === undefined) {
      const wrong = issuerFault(given.issuer);
      if (wrong !== null) fault('issuer', `${wrong}: name its keys in keysFile, or give an https address`);
    } else if (given.caFile !== undefined) fault('caFile', 'is of no use beside keysFile: nothing is fetched');
    const begin = `${WORKLOAD_PREFIX}${given.name}:`;
    if (!given.subject.startsWith(begin)) fault('subject', `must begin with ${begin}`);
    const wrong = subjectTemplateFault(given.subject);
    if (wrong !== null) fault('subject', wrong);
    else if (placeholdersOf(given.subject).length === 0 && given.subject === begin)
      fault('subject', 'must name something');
  });

export type WorkloadRule = z.output<typeof rule>;

const file = z.strictObject({
  workloads: z.array(rule, 'must be a list').max(100, 'must contain at most 100 entries'),
});

/** The rules of a file's text, or every fault of it, each naming its entry. */
export function parseWorkloadRules(
  content: string,
): { readonly rules: readonly WorkloadRule[] } | { readonly faults: readonly string[] } {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    return { faults: [`is not JSON: ${errorMessage(error)}`] };
  }
  const parsed = file.safeParse(value);
  if (parsed.success) return faultsAmong(parsed.data.workloads);
  return {
    faults: faultsIn(parsed.error).map(({ path: [section, index, ...member], sentence }) => {
      if (section !== 'workloads' || typeof index !== 'number')
        return `${[section, index].filter(Boolean).join('.') || 'the file'} ${sentence}`;
      return `${entryName(value, index)}: ${member.join('.') || 'the entry'} ${sentence}`;
    }),
  };
}

/** An entry as a person finds it: by its number, and by its name where it has one. */
function entryName(value: unknown, index: number): string {
  const { workloads } = value as { readonly workloads: readonly { readonly name?: unknown }[] };
  const name = workloads[index]?.name;
  return `entry ${index + 1}${typeof name === 'string' ? ` (${name.slice(0, 40)})` : ''}`;
}

/** Names belong to issuers: subjects of two issuers never begin with the same text. One issuer has one source of keys. */
function faultsAmong(
  rules: readonly WorkloadRule[],
): { readonly rules: readonly WorkloadRule[] } | { readonly faults: readonly string[] } {
  const faults = rules.flatMap((each, index) => {
    const entry = `entry ${index + 1} (${each.name})`;
    const before = rules.slice(0, index);
    const namesake = before.find((one) => one.name === each.name && one.issuer !== each.issuer);
    if (namesake !== undefined)
      return [`${entry}: name belongs to another issuer, ${namesake.issuer}: subjects of both would be one`];
    const other = before.find(
      (one) => one.issuer === each.issuer && (one.keysFile !== each.keysFile || one.caFile !== each.caFile),
    );
    return other === undefined
      ? []
      : [`${entry}: keysFile and caFile must be those of the entry before with this issuer`];
  });
  return faults.length > 0 ? { faults } : { rules };
}

/** Names of the claims in a template. */
function placeholdersOf(template: string): readonly string[] {
  return [...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
}

/** What is wrong with a template, as the end of a sentence; null where it can be filled. */
function subjectTemplateFault(template: string): string | null {
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

/** Whether a claim's value matches one of the patterns; of a list, one element suffices. */
export function claimMatches(value: unknown, patterns: string | readonly string[]): boolean {
  if (Array.isArray(value)) return value.some((element) => !Array.isArray(element) && claimMatches(element, patterns));
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return false;
  const text = String(value);
  return text.length <= LONGEST_VALUE && [patterns].flat().some((pattern) => regexOf(pattern).test(text));
}

/** `*` matches any characters except `/`, `**` any characters. All others match themselves. */
function regexOf(pattern: string): RegExp {
  const parts = pattern.split(/(\*+)/).map((part) => {
    if (part === '*') return '[^/]*';
    return part.startsWith('**') ? '.*' : part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`, 'su');
}

/**
 * A claim by its name, or by a path through objects: `kubernetes.io/namespace` is the member `namespace` of the claim
 * `kubernetes.io`. A claim with the whole name takes precedence.
 */
export function claimAt(claims: unknown, path: string): unknown {
  if (typeof claims !== 'object' || claims === null) return undefined;
  if (Object.hasOwn(claims, path)) return (claims as Record<string, unknown>)[path];
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
    const name = path.slice(0, at);
    if (Object.hasOwn(claims, name)) return claimAt((claims as Record<string, unknown>)[name], path.slice(at + 1));
  }
  return undefined;
}
