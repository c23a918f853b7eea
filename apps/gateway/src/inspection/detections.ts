import { type Refusal, type RefusalCode, refusal } from '@gateway/contract';
import { blockingKinds, type Finding, type Responses } from '@gateway/secrets';

/** Positions that are reported of one call; more are counted. */
const MOST_REPORTED = 8;

/** One line for a record: what was found, where, and what was done. Never a value (relay-33). */
export function lineOf(findings: readonly Finding[], responses: Responses): string {
  const reported = findings.slice(0, MOST_REPORTED).map(({ kind, rule, confidence, pointer, start, digest }) => {
    const position = pointer === null ? `byte ${start}` : pointer.slice(0, 200) || '/';
    return `${responses[confidence]} ${kind} (${rule}) at ${position}, digest ${digest.slice(0, 16)}`;
  });
  const more = findings.slice(MOST_REPORTED).reduce((sum, { occurrences }) => sum + occurrences, 0);
  return `secrets: ${reported.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** The refusal of content with a secret: its kinds and positions, never the value. */
export function block<Code extends RefusalCode & ('secret-detected' | 'secret-answered')>(
  code: Code,
  findings: readonly Finding[],
  responses: Responses,
): Refusal<Code> {
  const kinds = blockingKinds(responses, findings);
  const where = findings
    .filter(({ confidence }) => responses[confidence] === 'block')
    .map(({ pointer }) => pointer ?? '');
  return refusal(code, {
    details: { kind: kinds.join(', '), detail: lineOf(findings, responses) },
    members: { code: 'secret-detected', kinds, where: [...new Set(where)] },
  });
}
