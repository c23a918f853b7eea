import type { Detection, DetectionPlace } from '@gateway/contract';
import type { Finding, Responses } from '@gateway/secrets';
import { v7 } from 'uuid';
import * as z from 'zod';

/** Findings of one text that are recorded one by one; of the rest there is one entry a rule, which counts them. */
const ONE_BY_ONE = 100;

/** To which call findings belong, and in which part of it they were. */
export interface Circumstances {
  readonly decisionId: string;
  readonly place: DetectionPlace;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The entries of one text's findings (relay-36). Their number is bounded for any text. */
export function detectionsOf(
  findings: readonly Finding[],
  responses: Responses,
  { decisionId, place, at }: Circumstances,
): Detection[] {
  const detections = findings.slice(0, ONE_BY_ONE).map((finding) => entryOf(finding, 1));
  const more = Map.groupBy(findings.slice(ONE_BY_ONE), ({ rule, confidence }) => `${rule} ${confidence}`);
  for (const all of more.values()) {
    const [first] = all;
    const occurrences = all.reduce((sum, finding) => sum + finding.occurrences, 0);
    if (first !== undefined) detections.push(entryOf(first, occurrences));
  }
  return detections;

  function entryOf(
    { kind, rule, confidence, pointer, start, end, length, digest }: Finding,
    occurrences: number,
  ): Detection {
    const what = { kind, rule, confidence, pointer, start, end, length, digest, occurrences };
    return { id: v7(), at: new Date(at).toISOString(), decisionId, place, response: responses[confidence], ...what };
  }
}

/** A finding after the decision of a call, in the form for the log. */
export function groupOf(
  findings: readonly Finding[],
  responses: Responses,
  circumstances: Circumstances,
): DetectionGroup {
  return { id: v7(), detections: detectionsOf(findings, responses, circumstances) };
}

/** Detections on their way into the log together. */
export interface DetectionGroup {
  readonly id: string;
  readonly detections: readonly Detection[];
}

const SHAPE: z.ZodType<DetectionGroup> = z.strictObject({
  id: z.guid(),
  detections: z.array(
    z.strictObject({
      id: z.guid(),
      at: z.iso.datetime(),
      decisionId: z.guid(),
      place: z.enum(['request', 'answer', 'output']),
      kind: z.string(),
      rule: z.string(),
      confidence: z.enum(['high', 'medium']),
      response: z.enum(['block', 'mask', 'alert']),
      pointer: z.string().nullable(),
      start: z.int().nonnegative(),
      end: z.int().nonnegative(),
      length: z.int().nonnegative(),
      digest: z.hex().length(64),
      occurrences: z.int().positive(),
    }),
  ),
});

/** A group as the spool keeps it. */
export const DETECTION_GROUP = {
  shape: SHAPE,
  lineOf: (group: DetectionGroup) => ({ id: group.id, text: JSON.stringify(group) }),
};
